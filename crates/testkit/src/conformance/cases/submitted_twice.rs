//! A name belongs to one run: the same request is the same run, before and after its end, and another one is refused.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{CONFLICT, expect};
use crate::conformance::scenario::{Scenario, script};
use deed_model::RunOutcome;
use deed_ports::Created;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let request = fixture.request(&Scenario::new("run", vec![script("a", json!({}))]));
    let other = fixture.request(&Scenario::new("run", vec![script("a", json!({})), script("b", json!({}))]));
    assert_eq!(fixture.open().submit(&request), Ok(Created::New));
    let again = || {
        fixture.unchanged("run", || {
            assert_eq!(fixture.open().submit(&request), Ok(Created::Already));
            expect(fixture.open().submit(&other), CONFLICT);
        });
    };
    again();
    fixture.succeeds("run");
    again();
    fixture.ended("run", RunOutcome::Succeeded);
}
