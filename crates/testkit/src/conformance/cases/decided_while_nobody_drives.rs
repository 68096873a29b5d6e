//! A decision arrives while nobody drives: it is kept, nothing begins by itself, and whoever drives next goes on.

use crate::conformance::Candidate;
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_model::RunEvent;
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::gated("run"));
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    let events = yard.events("run").len();
    yard.approve("run");
    assert_eq!(yard.standing("run"), Standing::Running);
    assert!(matches!(&yard.events("run")[events..], [RunEvent::GateDecided { .. }]));
    yard.succeeds("run");
}
