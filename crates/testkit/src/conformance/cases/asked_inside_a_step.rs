//! A call inside a step has to be approved, and whoever drives is killed before the answer and after it: the call is made
//! once, with the one approval.

use crate::conformance::Candidate;
use crate::conformance::scenario::{ROLE, Scenario, sends};
use crate::conformance::task::Told;
use crate::conformance::yard::Yard;
use deed_model::RunEvent;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let gates = json!([{ "tool": "http.submit", "question": "May it be sent?", "approver_role": ROLE }]);
    yard.submit(&Scenario::new("run", vec![sends("a", &yard.effects, &["one"], json!({ "call_gates": gates }))]));
    let process = yard.driver("run");
    assert!(matches!(process.result(), Told::Waiting(asked) if asked.len() == 1));
    process.kill();
    let asked = yard.question("run");
    assert_eq!(asked.call.map(|call| call.tool).as_deref(), Some("http.submit"));
    yard.effects.each_once(&[]);
    yard.approve("run");
    let held = yard.effects.hold("one");
    let process = yard.driver("run");
    held.arrived();
    process.kill();
    yard.succeeds("run");
    assert_eq!(yard.effects.each_once(&["one"]), 1, "the one that was lost");
    assert_eq!(yard.count("run", |event| matches!(event, RunEvent::GateOpened { .. })), 1);
    assert_eq!(yard.count("run", |event| matches!(event, RunEvent::ApprovalUsed { .. })), 1);
}
