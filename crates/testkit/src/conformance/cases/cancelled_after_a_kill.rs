//! The process that drives is killed in the middle of a step, and the run is ended before anybody goes on with it.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![sends("a", &yard.effects, &["one", "two"], json!({}))]));
    let held = yard.effects.hold("one");
    let process = yard.driver("run");
    held.arrived();
    process.kill();
    assert_eq!(yard.standing("run"), Standing::Running);
    yard.open().cancel("run", "grace", None).unwrap();
    yard.ended("run", RunOutcome::Cancelled);
    yard.unchanged("run", || assert_eq!(yard.drive("run"), Standing::Ended(RunOutcome::Cancelled)));
    assert_eq!(yard.effects.each_once(&["one"]), 0);
}
