//! Every request about an unknown run is refused, and does not create it.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{NO_SUCH_RUN, expect};
use crate::conformance::scenario::Scenario;
use crate::conformance::watch::Watch;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::gated("run"));
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    let signed = fixture.signed(&fixture.question("run"), GateDecision::Approved);
    let engine = fixture.open();
    expect(engine.standing("unknown"), NO_SUCH_RUN);
    expect(engine.drive("unknown", Watch::new()), NO_SUCH_RUN);
    expect(engine.cancel("unknown", "grace", None), NO_SUCH_RUN);
    expect(engine.decide("unknown", signed), NO_SUCH_RUN);
    assert_eq!(fixture.events("unknown"), []);
    assert!(matches!(fixture.standing("run"), Standing::Waiting(_)));
}
