//! A run is cancelled before it is driven: none of its steps ever begins.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, sends};
use deed_model::RunOutcome;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![sends("a", &fixture.effects, &["one"], json!({}))]));
    fixture.open().cancel("run", "grace", Some("no longer needed")).unwrap();
    fixture.ended("run", RunOutcome::Cancelled);
    fixture.unchanged("run", || assert_eq!(fixture.drive("run"), Standing::Ended(RunOutcome::Cancelled)));
    assert!(fixture.begun("run").is_empty());
    fixture.effects.each_once(&[]);
}
