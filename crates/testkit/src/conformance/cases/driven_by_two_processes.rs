//! A process drives a run, and another one tries to: it is refused or waits, and does nothing meanwhile.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::HELD;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Message;
use deed_model::RunOutcome;
use serde_json::json;
use std::time::Duration;

/// The time that an engine is observed that lets the second process wait. One that refuses it answers at once.
const SILENCE: Duration = Duration::from_secs(2);

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![sends("a", &fixture.effects, &["one"], json!({}))]));
    let held = fixture.effects.hold("one");
    let first = fixture.driver("run");
    held.arrived();
    let second = fixture.driver("run");
    let refused = second.next_within(SILENCE);
    assert!(refused.is_none() || refused == Some(Message::Refused(HELD.to_owned())), "{refused:?}");
    held.release();
    assert_eq!(first.finish(), Message::Ended(RunOutcome::Succeeded));
    if refused.is_none() {
        assert_eq!(second.finish(), Message::Ended(RunOutcome::Succeeded));
    }
    assert_eq!(fixture.effects.each_once(&["one"]), 0);
    assert_eq!(fixture.begun("run").into_values().collect::<Vec<_>>(), [1]);
    fixture.succeeds("run");
}
