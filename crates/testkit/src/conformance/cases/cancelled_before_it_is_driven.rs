//! A run that nobody has driven yet is ended: no step of it ever begins.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![sends("a", &yard.effects, &["one"], json!({}))]));
    yard.open().cancel("run", "grace", Some("no longer needed")).unwrap();
    yard.ended("run", RunOutcome::Cancelled);
    yard.unchanged("run", || assert_eq!(yard.drive("run"), Standing::Ended(RunOutcome::Cancelled)));
    assert!(yard.begun("run").is_empty());
    yard.effects.each_once(&[]);
}
