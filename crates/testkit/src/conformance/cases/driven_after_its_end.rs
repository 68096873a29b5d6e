//! An ended run is driven again by a new engine: nothing is done and nothing is written.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Message;
use crate::conformance::watch::Watch;
use deed_model::RunOutcome;
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![sends("a", &fixture.effects, &["one"], json!({}))]));
    assert_eq!(fixture.driver("run").finish(), Message::Ended(RunOutcome::Succeeded));
    fixture.effects.each_once(&["one"]);
    fixture.unchanged("run", || {
        let watch = Watch::new();
        let ended = Standing::Ended(RunOutcome::Succeeded);
        assert_eq!(fixture.open().drive("run", watch.clone()), Ok(ended));
        assert_eq!(watch.heard(), []);
        assert_eq!(fixture.driver("run").finish(), Message::Ended(RunOutcome::Succeeded));
    });
    fixture.effects.each_once(&[]);
    fixture.ended("run", RunOutcome::Succeeded);
}
