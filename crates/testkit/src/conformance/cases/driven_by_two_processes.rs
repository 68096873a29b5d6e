//! A process drives a run, and another one tries to: it is refused, or waits; it does nothing, and is none the worse.

use crate::conformance::Candidate;
use crate::conformance::refusal::HELD;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::Told;
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use serde_json::json;
use std::time::Duration;

/// How long an engine is listened to that lets the second process wait. One that refuses it costs nothing.
const SILENCE: Duration = Duration::from_secs(2);

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![sends("a", &yard.effects, &["one"], json!({}))]));
    let held = yard.effects.hold("one");
    let first = yard.driver("run");
    held.arrived();
    let second = yard.driver("run");
    let refused = second.next_within(SILENCE);
    assert!(refused.is_none() || refused == Some(Told::Refused(HELD.to_owned())), "{refused:?}");
    held.release();
    assert_eq!(first.finish(), Told::Ended(RunOutcome::Succeeded));
    if refused.is_none() {
        assert_eq!(second.finish(), Told::Ended(RunOutcome::Succeeded));
    }
    assert_eq!(yard.effects.each_once(&["one"]), 0);
    assert_eq!(yard.begun("run").into_values().collect::<Vec<_>>(), [1]);
    yard.succeeds("run");
}
