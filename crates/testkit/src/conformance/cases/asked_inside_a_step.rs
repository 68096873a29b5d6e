//! A call inside a step needs approval, and the driving process is killed before the answer and after it: the call is made
//! once, with the one approval.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{ROLE, Scenario, sends};
use crate::conformance::task::Message;
use deed_model::RunEvent;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let gates = json!([{ "tool": "http.submit", "question": "May it be sent?", "approver_role": ROLE }]);
    fixture.submit(&Scenario::new("run", vec![sends("a", &fixture.effects, &["one"], json!({ "call_gates": gates }))]));
    let process = fixture.driver("run");
    assert!(matches!(process.result(), Message::Waiting(asked) if asked.len() == 1));
    process.kill();
    let asked = fixture.question("run");
    assert_eq!(asked.call.map(|call| call.tool).as_deref(), Some("http.submit"));
    fixture.effects.each_once(&[]);
    fixture.approve("run");
    let held = fixture.effects.hold("one");
    let process = fixture.driver("run");
    held.arrived();
    process.kill();
    fixture.succeeds("run");
    assert_eq!(fixture.effects.each_once(&["one"]), 1, "the one that was lost");
    assert_eq!(fixture.count("run", |event| matches!(event, RunEvent::GateOpened { .. })), 1);
    assert_eq!(fixture.count("run", |event| matches!(event, RunEvent::ApprovalUsed { .. })), 1);
}
