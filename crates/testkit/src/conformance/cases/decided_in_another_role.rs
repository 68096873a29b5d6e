//! A decision in another role than the gate's is refused, whatever it is.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{OTHER_ROLE, expect};
use crate::conformance::scenario::Scenario;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::gated("run"));
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    let asked = fixture.question("run");
    for decision in [GateDecision::Approved, GateDecision::Rejected] {
        let signed = fixture.signed_as(&asked, decision, "intern");
        fixture.unchanged("run", || expect(fixture.open().decide("run", signed), OTHER_ROLE));
    }
    assert_eq!(fixture.drive("run"), Standing::Waiting(vec![asked]));
    assert!(!fixture.begun("run").contains_key("b"));
}
