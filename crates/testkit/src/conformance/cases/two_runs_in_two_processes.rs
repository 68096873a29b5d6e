//! Two processes drive two runs of one workspace: both are in the middle of a step at the same time, and both succeed.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Message;
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let runs = ["one", "two"];
    let started = runs.map(|run| {
        fixture.submit(&Scenario::new(run, vec![sends("a", &fixture.effects, &[run], json!({}))]));
        (fixture.effects.hold(run), fixture.driver(run))
    });
    started.iter().for_each(|(held, _)| held.arrived());
    for (held, process) in started {
        held.release();
        assert_eq!(process.finish(), Message::Ended(RunOutcome::Succeeded));
    }
    runs.iter().for_each(|run| fixture.ended(run, RunOutcome::Succeeded));
    assert_eq!(fixture.effects.each_once(&runs), 0);
}
