//! A run that waits at a gate is ended: the question is gone, and an answer to it is refused.

use crate::conformance::Candidate;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_model::{GateDecision, RunOutcome};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::gated("run"));
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    let signed = yard.signed(&yard.question("run"), GateDecision::Approved);
    yard.open().cancel("run", "grace", None).unwrap();
    yard.ended("run", RunOutcome::Cancelled);
    yard.unchanged("run", || {
        expect(yard.open().decide("run", signed), NOT_ASKED);
        assert_eq!(yard.drive("run"), Standing::Ended(RunOutcome::Cancelled));
    });
    assert!(!yard.begun("run").contains_key("b"));
}
