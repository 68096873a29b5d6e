//! The process that came to a gate is killed while nobody has answered; one process hands in the answer, and another one
//! goes on. The question is asked once, and the approval used once.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::task::{Task, Told};
use crate::conformance::yard::Yard;
use deed_model::{GateDecision, RunEvent, RunOutcome};
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let second = sends("b", &yard.effects, &["one"], json!({ "waits_for": ["look"] }));
    yard.submit(&Scenario::new("run", vec![script("a", json!({})), second]).asks("a"));
    let process = yard.driver("run");
    assert_eq!(process.result(), Told::Waiting(vec!["look".to_owned()]));
    process.kill();
    // Whoever looks, and whoever drives, finds the same question.
    let asked = yard.question("run");
    assert_eq!(yard.drive("run"), Standing::Waiting(vec![asked.clone()]));
    yard.effects.each_once(&[]);

    let signed = Box::new(yard.signed(&asked, GateDecision::Approved));
    let mut decides = yard.process(Task::Decide { run_id: "run".to_owned(), signed });
    decides.go();
    assert_eq!(decides.result(), Told::Decided);
    decides.kill();
    assert_eq!(yard.driver("run").finish(), Told::Ended(RunOutcome::Succeeded));
    yard.ended("run", RunOutcome::Succeeded);
    assert_eq!(yard.effects.each_once(&["one"]), 0);
    assert_eq!(yard.count("run", |event| matches!(event, RunEvent::GateOpened { .. })), 1);
    assert_eq!(yard.count("run", |event| matches!(event, RunEvent::ApprovalUsed { .. })), 1);
}
