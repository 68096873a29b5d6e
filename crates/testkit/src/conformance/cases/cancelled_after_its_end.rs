//! A run that has ended stays as it ended, whoever asks to end it.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, script};
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![script("a", json!({}))]));
    yard.succeeds("run");
    yard.unchanged("run", || yard.open().cancel("run", "grace", None).unwrap());
    yard.ended("run", RunOutcome::Succeeded);
}
