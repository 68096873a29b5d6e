//! The process that reached a gate is killed before the decision; one process submits the decision, and another one
//! resumes the run. The gate is opened once, and the approval used once.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::task::{Message, Task};
use deed_model::{GateDecision, RunEvent, RunOutcome};
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let second = sends("b", &fixture.effects, &["one"], json!({ "waits_for": ["look"] }));
    fixture.submit(&Scenario::new("run", vec![script("a", json!({})), second]).asks("a"));
    let process = fixture.driver("run");
    assert_eq!(process.result(), Message::Waiting(vec!["look".to_owned()]));
    process.kill();
    // Reading and driving the run give the same gate subject.
    let asked = fixture.question("run");
    assert_eq!(fixture.drive("run"), Standing::Waiting(vec![asked.clone()]));
    fixture.effects.each_once(&[]);

    let signed = Box::new(fixture.signed(&asked, GateDecision::Approved));
    let mut decides = fixture.process(Task::Decide { run_id: "run".to_owned(), signed });
    decides.go();
    assert_eq!(decides.result(), Message::Decided);
    decides.kill();
    assert_eq!(fixture.driver("run").finish(), Message::Ended(RunOutcome::Succeeded));
    fixture.ended("run", RunOutcome::Succeeded);
    assert_eq!(fixture.effects.each_once(&["one"]), 0);
    assert_eq!(fixture.count("run", |event| matches!(event, RunEvent::GateOpened { .. })), 1);
    assert_eq!(fixture.count("run", |event| matches!(event, RunEvent::ApprovalUsed { .. })), 1);
}
