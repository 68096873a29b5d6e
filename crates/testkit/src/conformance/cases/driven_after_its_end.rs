//! A run that has ended is driven again, by an engine that has just begun: nothing is done and nothing is written.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Told;
use crate::conformance::watch::Watch;
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![sends("a", &yard.effects, &["one"], json!({}))]));
    assert_eq!(yard.driver("run").finish(), Told::Ended(RunOutcome::Succeeded));
    yard.effects.each_once(&["one"]);
    yard.unchanged("run", || {
        let watch = Watch::new();
        let ended = Standing::Ended(RunOutcome::Succeeded);
        assert_eq!(yard.open().drive("run", watch.clone()), Ok(ended));
        assert_eq!(watch.heard(), []);
        assert_eq!(yard.driver("run").finish(), Told::Ended(RunOutcome::Succeeded));
    });
    yard.effects.each_once(&[]);
    yard.ended("run", RunOutcome::Succeeded);
}
