//! A decision arrives through another engine while a process executes another step of the run: the process continues past
//! the gate by itself.

use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::task::Message;
use crate::conformance::{Candidate, approval};
use deed_model::{GateDecision, RunEvent, RunOutcome};
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let steps = vec![
        script("a", json!({})),
        sends("b", &fixture.effects, &["after"], json!({ "waits_for": ["look"] })),
        sends("c", &fixture.effects, &["beside"], json!({})),
    ];
    fixture.submit(&Scenario::new("run", steps).asks("a"));
    let (after, beside) = (fixture.effects.hold("after"), fixture.effects.hold("beside"));
    let process = fixture.driver("run");
    let opened = process.until(|event| matches!(event, RunEvent::GateOpened { .. }));
    let RunEvent::GateOpened { subject, subject_hash } = opened else { panic!("{opened:?}") };
    assert_eq!(approval::hash(&subject), subject_hash);
    beside.arrived();
    fixture.open().decide("run", fixture.signed(&subject, GateDecision::Approved)).unwrap();
    // The other step is still running: the run was not driven a second time.
    after.arrived();
    beside.release();
    after.release();
    assert_eq!(process.finish(), Message::Ended(RunOutcome::Succeeded));
    fixture.ended("run", RunOutcome::Succeeded);
    assert_eq!(fixture.effects.each_once(&["after", "beside"]), 0);
}
