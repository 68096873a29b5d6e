//! A run that another process drives is cancelled from here: that process stops in the middle of a step, and reports it.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, stalls};
use crate::conformance::task::Message;
use deed_model::{RunEvent, RunOutcome};

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![stalls("a")]));
    let process = fixture.driver("run");
    process.until(|event| matches!(event, RunEvent::Progress { .. }));
    fixture.open().cancel("run", "grace", None).unwrap();
    assert_eq!(process.finish(), Message::Ended(RunOutcome::Cancelled));
    fixture.ended("run", RunOutcome::Cancelled);
}
