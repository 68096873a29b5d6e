//! A decision about something else than what is asked is refused: other evidence, another end of the question, another
//! run of the same plan.

use crate::conformance::Candidate;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_canon::ContentHash;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    for run in ["run", "other"] {
        yard.submit(&Scenario::gated(run));
        assert!(matches!(yard.drive(run), Standing::Waiting(_)));
    }
    let asked = yard.question("run");
    let mut shown = asked.clone();
    shown.evidence[0].sha256 = ContentHash::of_bytes(b"something else");
    let mut later = asked.clone();
    later.expires_at = "2999-01-01T00:00:00Z".to_owned();
    for (subject, decision) in [
        (shown, GateDecision::Approved),
        (later, GateDecision::Rejected),
        (yard.question("other"), GateDecision::Approved),
    ] {
        let signed = yard.signed(&subject, decision);
        yard.unchanged("run", || expect(yard.open().decide("run", signed), NOT_ASKED));
    }
    assert_eq!(yard.drive("run"), Standing::Waiting(vec![asked]));
    assert!(!yard.begun("run").contains_key("b"));
    yard.approve("run");
    yard.succeeds("run");
}
