//! A decision of somebody who is not asked is refused, whatever they decided.

use crate::conformance::Candidate;
use crate::conformance::refusal::{OTHER_ROLE, expect};
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::gated("run"));
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    let asked = yard.question("run");
    for decision in [GateDecision::Approved, GateDecision::Rejected] {
        let signed = yard.signed_as(&asked, decision, "intern");
        yard.unchanged("run", || expect(yard.open().decide("run", signed), OTHER_ROLE));
    }
    assert_eq!(yard.drive("run"), Standing::Waiting(vec![asked]));
    assert!(!yard.begun("run").contains_key("b"));
}
