//! Two processes drive two runs of one workspace: both are in the middle of a step at the same time, and both end well.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Told;
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let runs = ["one", "two"];
    let started = runs.map(|run| {
        yard.submit(&Scenario::new(run, vec![sends("a", &yard.effects, &[run], json!({}))]));
        (yard.effects.hold(run), yard.driver(run))
    });
    started.iter().for_each(|(held, _)| held.arrived());
    for (held, process) in started {
        held.release();
        assert_eq!(process.finish(), Told::Ended(RunOutcome::Succeeded));
    }
    runs.iter().for_each(|run| yard.ended(run, RunOutcome::Succeeded));
    assert_eq!(yard.effects.each_once(&runs), 0);
}
