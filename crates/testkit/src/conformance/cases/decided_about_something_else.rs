//! A decision about another subject is refused: other evidence, another expiry, another run of the same plan.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::Scenario;
use deed_canon::ContentHash;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    for run in ["run", "other"] {
        fixture.submit(&Scenario::gated(run));
        assert!(matches!(fixture.drive(run), Standing::Waiting(_)));
    }
    let asked = fixture.question("run");
    let mut shown = asked.clone();
    shown.evidence[0].sha256 = ContentHash::of_bytes(b"something else");
    let mut later = asked.clone();
    later.expires_at = "2999-01-01T00:00:00Z".to_owned();
    for (subject, decision) in [
        (shown, GateDecision::Approved),
        (later, GateDecision::Rejected),
        (fixture.question("other"), GateDecision::Approved),
    ] {
        let signed = fixture.signed(&subject, decision);
        fixture.unchanged("run", || expect(fixture.open().decide("run", signed), NOT_ASKED));
    }
    assert_eq!(fixture.drive("run"), Standing::Waiting(vec![asked]));
    assert!(!fixture.begun("run").contains_key("b"));
    fixture.approve("run");
    fixture.succeeds("run");
}
