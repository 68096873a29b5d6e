//! A run that another process drives is ended from here: that process stops in the middle of a step, and says so.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, stalls};
use crate::conformance::task::Told;
use crate::conformance::yard::Yard;
use deed_model::{RunEvent, RunOutcome};

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![stalls("a")]));
    let process = yard.driver("run");
    process.until(|event| matches!(event, RunEvent::Progress { .. }));
    yard.open().cancel("run", "grace", None).unwrap();
    assert_eq!(process.finish(), Told::Ended(RunOutcome::Cancelled));
    yard.ended("run", RunOutcome::Cancelled);
}
