//! The process is killed while a person is asked and, beside that, a step is at work: the question is not asked a second
//! time, and the step is gone on with before anybody has answered.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::yard::Yard;
use deed_model::RunEvent;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let steps = vec![
        script("a", json!({})),
        script("b", json!({ "waits_for": ["look"] })),
        sends("c", &yard.effects, &["one"], json!({})),
    ];
    yard.submit(&Scenario::new("run", steps).asks("a"));
    let opened = |event: &RunEvent| matches!(event, RunEvent::GateOpened { .. });
    let held = yard.effects.hold("one");
    let process = yard.driver("run");
    process.until(opened);
    held.arrived();
    // What a step is at work at is no reason to answer, nor is a question one to stop.
    assert_eq!(yard.standing("run"), Standing::Running);
    process.kill();
    let asked = yard.count("run", opened);
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    assert_eq!(yard.effects.each_once(&["one"]), 1, "the one that was lost");
    yard.approve("run");
    yard.succeeds("run");
    yard.effects.each_once(&[]);
    assert_eq!(yard.count("run", opened), asked.max(1));
}
