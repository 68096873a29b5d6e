//! A name stands for one run: the same request is the same run, before and after its end, and another one is refused.

use crate::conformance::Candidate;
use crate::conformance::refusal::{CONFLICT, expect};
use crate::conformance::scenario::{Scenario, script};
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use deed_ports::Created;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let request = yard.request(&Scenario::new("run", vec![script("a", json!({}))]));
    let other = yard.request(&Scenario::new("run", vec![script("a", json!({})), script("b", json!({}))]));
    assert_eq!(yard.open().submit(&request), Ok(Created::New));
    let again = || {
        yard.unchanged("run", || {
            assert_eq!(yard.open().submit(&request), Ok(Created::Already));
            expect(yard.open().submit(&other), CONFLICT);
        });
    };
    again();
    yard.succeeds("run");
    again();
    yard.ended("run", RunOutcome::Succeeded);
}
