//! A decision arrives while no process drives: it is recorded, nothing begins by itself, and the next driver continues.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::Scenario;
use deed_model::RunEvent;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::gated("run"));
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    let events = fixture.events("run").len();
    fixture.approve("run");
    assert_eq!(fixture.standing("run"), Standing::Running);
    assert!(matches!(&fixture.events("run")[events..], [RunEvent::GateDecided { .. }]));
    fixture.succeeds("run");
}
