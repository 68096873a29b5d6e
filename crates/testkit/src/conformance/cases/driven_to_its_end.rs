//! An undisturbed run: an observer receives the written events, in that order.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::watch::Watch;
use deed_model::{RunEvent, RunOutcome};
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let first = sends("a", &fixture.effects, &["one", "two"], json!({}));
    let second = script("b", json!({ "depends_on": ["a"] }));
    fixture.submit(&Scenario::new("run", vec![first, second]));
    assert_eq!(fixture.standing("run"), Standing::Running);
    let watch = Watch::new();
    let standing = fixture.open().drive("run", watch.clone()).unwrap();
    assert_eq!(standing, Standing::Ended(RunOutcome::Succeeded));
    fixture.ended("run", RunOutcome::Succeeded);
    assert_eq!(watch.heard(), fixture.events("run")[1..]);
    let done = |event| match event {
        RunEvent::StepSucceeded { step, .. } => Some(step),
        _ => None,
    };
    assert_eq!(fixture.events("run").into_iter().filter_map(done).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(fixture.made("run").into_keys().collect::<Vec<_>>(), ["output/a.json", "output/b.json"]);
    assert_eq!(fixture.effects.each_once(&["one", "two"]), 0);
}
