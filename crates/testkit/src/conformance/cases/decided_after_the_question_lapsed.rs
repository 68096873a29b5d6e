//! A decision after the gate has lapsed approves nothing, whether it is refused or not: the gate is opened again.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::Scenario;
use deed_model::GateDecision;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let mut scenario = Scenario::gated("run");
    scenario.options.gate_seconds = 0;
    fixture.submit(&scenario);
    for _ in 0..2 {
        assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
        let _ = fixture.open().decide("run", fixture.signed(&fixture.question("run"), GateDecision::Approved));
    }
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    assert!(!fixture.begun("run").contains_key("b"));
}
