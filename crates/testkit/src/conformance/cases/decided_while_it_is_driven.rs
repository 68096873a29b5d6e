//! A decision arrives through another engine while a process is busy with another step of the run: the process goes on
//! past the gate by itself.

use crate::conformance::scenario::{Scenario, script, sends};
use crate::conformance::task::Told;
use crate::conformance::yard::Yard;
use crate::conformance::{Candidate, approval};
use deed_model::{GateDecision, RunEvent, RunOutcome};
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let steps = vec![
        script("a", json!({})),
        sends("b", &yard.effects, &["after"], json!({ "waits_for": ["look"] })),
        sends("c", &yard.effects, &["beside"], json!({})),
    ];
    yard.submit(&Scenario::new("run", steps).asks("a"));
    let (after, beside) = (yard.effects.hold("after"), yard.effects.hold("beside"));
    let process = yard.driver("run");
    let opened = process.until(|event| matches!(event, RunEvent::GateOpened { .. }));
    let RunEvent::GateOpened { subject, subject_hash } = opened else { panic!("{opened:?}") };
    assert_eq!(approval::hash(&subject), subject_hash);
    beside.arrived();
    yard.open().decide("run", yard.signed(&subject, GateDecision::Approved)).unwrap();
    // The other step is still under way: nobody has come back to drive the run again.
    after.arrived();
    beside.release();
    after.release();
    assert_eq!(process.finish(), Told::Ended(RunOutcome::Succeeded));
    yard.ended("run", RunOutcome::Succeeded);
    assert_eq!(yard.effects.each_once(&["after", "beside"]), 0);
}
