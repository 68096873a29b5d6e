//! A run that waits at a gate is cancelled: the gate is closed, and a decision is refused.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::Scenario;
use deed_model::{GateDecision, RunOutcome};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::gated("run"));
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    let signed = fixture.signed(&fixture.question("run"), GateDecision::Approved);
    fixture.open().cancel("run", "grace", None).unwrap();
    fixture.ended("run", RunOutcome::Cancelled);
    fixture.unchanged("run", || {
        expect(fixture.open().decide("run", signed), NOT_ASKED);
        assert_eq!(fixture.drive("run"), Standing::Ended(RunOutcome::Cancelled));
    });
    assert!(!fixture.begun("run").contains_key("b"));
}
