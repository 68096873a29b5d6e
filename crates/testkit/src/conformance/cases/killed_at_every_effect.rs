//! The process is killed in the middle of a step, each time when an effect has happened and its answer is lost, and
//! another one resumes: the same outputs as without kills, and each effect once.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script, sends};
use serde_json::json;

const EFFECTS: [&str; 3] = ["one", "two", "three"];

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let steps = vec![
        sends("a", &fixture.effects, &EFFECTS[..2], json!({})),
        sends("b", &fixture.effects, &EFFECTS[2..], json!({ "depends_on": ["a"] })),
        script("c", json!({ "depends_on": ["b"] })),
    ];
    let undisturbed = Scenario::new("undisturbed", steps);
    fixture.submit(&undisturbed);
    fixture.succeeds("undisturbed");
    assert_eq!(fixture.effects.each_once(&EFFECTS), 0);

    fixture.submit(&undisturbed.named("run"));
    for what in EFFECTS {
        let held = fixture.effects.hold(what);
        let process = fixture.driver("run");
        held.arrived();
        process.kill();
    }
    fixture.succeeds("run");
    assert_eq!(fixture.made("run"), fixture.made("undisturbed"));
    // Only calls whose answer was lost are retried.
    assert_eq!(fixture.effects.each_once(&EFFECTS), EFFECTS.len());
}
