//! A run that nobody knows is refused whatever is asked of it, and does not come into being by that.

use crate::conformance::Candidate;
use crate::conformance::refusal::{NO_SUCH_RUN, expect};
use crate::conformance::scenario::Scenario;
use crate::conformance::watch::Watch;
use crate::conformance::yard::Yard;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::gated("run"));
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    let signed = yard.signed(&yard.question("run"), GateDecision::Approved);
    let engine = yard.open();
    expect(engine.standing("nobody"), NO_SUCH_RUN);
    expect(engine.drive("nobody", Watch::new()), NO_SUCH_RUN);
    expect(engine.cancel("nobody", "grace", None), NO_SUCH_RUN);
    expect(engine.decide("nobody", signed), NO_SUCH_RUN);
    assert_eq!(yard.events("nobody"), []);
    assert!(matches!(yard.standing("run"), Standing::Waiting(_)));
}
