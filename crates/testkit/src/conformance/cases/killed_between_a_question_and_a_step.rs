//! The process is killed while a person is asked and another step is running: the gate is not opened a second time, and
//! the step is resumed before a decision arrives.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script, sends};
use deed_model::RunEvent;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let steps = vec![
        script("a", json!({})),
        script("b", json!({ "waits_for": ["look"] })),
        sends("c", &fixture.effects, &["one"], json!({})),
    ];
    fixture.submit(&Scenario::new("run", steps).asks("a"));
    let opened = |event: &RunEvent| matches!(event, RunEvent::GateOpened { .. });
    let held = fixture.effects.hold("one");
    let process = fixture.driver("run");
    process.until(opened);
    held.arrived();
    // While a step is running the run does not wait, although a gate is open.
    assert_eq!(fixture.standing("run"), Standing::Running);
    process.kill();
    let asked = fixture.count("run", opened);
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    assert_eq!(fixture.effects.each_once(&["one"]), 1, "the one that was lost");
    fixture.approve("run");
    fixture.succeeds("run");
    fixture.effects.each_once(&[]);
    assert_eq!(fixture.count("run", opened), asked.max(1));
}
