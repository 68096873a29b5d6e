//! The process is killed in the middle of a step, each time when an effect has happened and its answer is lost, and
//! another one goes on: the same outputs as without, and each effect once.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::yard::Yard;
use serde_json::json;

const EFFECTS: [&str; 3] = ["one", "two", "three"];

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let steps = vec![
        sends("a", &yard.effects, &EFFECTS[..2], json!({})),
        sends("b", &yard.effects, &EFFECTS[2..], json!({ "depends_on": ["a"] })),
        script("c", json!({ "depends_on": ["b"] })),
    ];
    let undisturbed = Scenario::new("undisturbed", steps);
    yard.submit(&undisturbed);
    yard.succeeds("undisturbed");
    assert_eq!(yard.effects.each_once(&EFFECTS), 0);

    yard.submit(&undisturbed.named("run"));
    for what in EFFECTS {
        let held = yard.effects.hold(what);
        let process = yard.driver("run");
        held.arrived();
        process.kill();
    }
    yard.succeeds("run");
    assert_eq!(yard.made("run"), yard.made("undisturbed"));
    // Only what was lost is asked for again.
    assert_eq!(yard.effects.each_once(&EFFECTS), EFFECTS.len());
}
