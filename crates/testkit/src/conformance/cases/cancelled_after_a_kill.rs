//! The driving process is killed in the middle of a step, and the run is cancelled before another process resumes it.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, sends};
use deed_model::RunOutcome;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![sends("a", &fixture.effects, &["one", "two"], json!({}))]));
    let held = fixture.effects.hold("one");
    let process = fixture.driver("run");
    held.arrived();
    process.kill();
    assert_eq!(fixture.standing("run"), Standing::Running);
    fixture.open().cancel("run", "grace", None).unwrap();
    fixture.ended("run", RunOutcome::Cancelled);
    fixture.unchanged("run", || assert_eq!(fixture.drive("run"), Standing::Ended(RunOutcome::Cancelled)));
    assert_eq!(fixture.effects.each_once(&["one"]), 0);
}
