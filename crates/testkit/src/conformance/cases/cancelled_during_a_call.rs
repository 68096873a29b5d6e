//! A run is ended while an effect has happened and is not answered yet: what was begun has its end, however late its
//! answer comes, and nothing more is asked for.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Told;
use crate::conformance::yard::Yard;
use deed_model::{RunEvent, RunOutcome};
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![sends("a", &yard.effects, &["one", "two"], json!({}))]));
    let held = yard.effects.hold("one");
    let process = yard.driver("run");
    held.arrived();
    yard.open().cancel("run", "grace", None).unwrap();
    process.until(|event| matches!(event, RunEvent::CancelRequested { .. }));
    held.release();
    assert_eq!(process.finish(), Told::Ended(RunOutcome::Cancelled));
    yard.ended("run", RunOutcome::Cancelled);
    assert_eq!(yard.effects.each_once(&["one"]), 0);
}
