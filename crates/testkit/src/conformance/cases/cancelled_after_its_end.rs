//! Cancelling an ended run changes nothing.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script};
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![script("a", json!({}))]));
    fixture.succeeds("run");
    fixture.unchanged("run", || fixture.open().cancel("run", "grace", None).unwrap());
    fixture.ended("run", RunOutcome::Succeeded);
}
