//! Nothing happens to the run but what it is there for: whoever watches hears what is written, in that order.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::watch::Watch;
use crate::conformance::yard::Yard;
use deed_model::{RunEvent, RunOutcome};
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let first = sends("a", &yard.effects, &["one", "two"], json!({}));
    let second = script("b", json!({ "depends_on": ["a"] }));
    yard.submit(&Scenario::new("run", vec![first, second]));
    assert_eq!(yard.standing("run"), Standing::Running);
    let watch = Watch::new();
    let standing = yard.open().drive("run", watch.clone()).unwrap();
    assert_eq!(standing, Standing::Ended(RunOutcome::Succeeded));
    yard.ended("run", RunOutcome::Succeeded);
    assert_eq!(watch.heard(), yard.events("run")[1..]);
    let done = |event| match event {
        RunEvent::StepSucceeded { step, .. } => Some(step),
        _ => None,
    };
    assert_eq!(yard.events("run").into_iter().filter_map(done).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(yard.made("run").into_keys().collect::<Vec<_>>(), ["output/a.json", "output/b.json"]);
    assert_eq!(yard.effects.each_once(&["one", "two"]), 0);
}
