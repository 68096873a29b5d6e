//! A run is cancelled after an effect has happened and before it is answered: the call ends, however late its answer
//! comes, and no further call is made.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Message;
use deed_model::{RunEvent, RunOutcome};
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![sends("a", &fixture.effects, &["one", "two"], json!({}))]));
    let held = fixture.effects.hold("one");
    let process = fixture.driver("run");
    held.arrived();
    fixture.open().cancel("run", "grace", None).unwrap();
    process.until(|event| matches!(event, RunEvent::CancelRequested { .. }));
    held.release();
    assert_eq!(process.finish(), Message::Ended(RunOutcome::Cancelled));
    fixture.ended("run", RunOutcome::Cancelled);
    assert_eq!(fixture.effects.each_once(&["one"]), 0);
}
