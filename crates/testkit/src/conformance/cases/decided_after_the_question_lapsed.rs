//! An answer that comes when the question has lapsed lets nothing through, whether it is refused or not: it is asked
//! again.

use crate::conformance::Candidate;
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let mut scenario = Scenario::gated("run");
    scenario.options.gate_seconds = 0;
    yard.submit(&scenario);
    for _ in 0..2 {
        assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
        let _ = yard.open().decide("run", yard.signed(&yard.question("run"), GateDecision::Approved));
    }
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    assert!(!yard.begun("run").contains_key("b"));
}
