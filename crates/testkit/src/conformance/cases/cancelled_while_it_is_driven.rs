//! A run that this process drives is ended through another engine of the same process, in the middle of a step.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, script, stalls};
use crate::conformance::watch::Watch;
use crate::conformance::yard::Yard;
use deed_model::{RunEvent, RunOutcome};
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![stalls("a"), script("b", json!({ "depends_on": ["a"] }))]));
    let watch = Watch::new();
    std::thread::scope(|scope| {
        let driven = scope.spawn(|| yard.open().drive("run", watch.clone()));
        watch.until(|event| matches!(event, RunEvent::Progress { .. }));
        yard.open().cancel("run", "grace", Some("no longer needed")).unwrap();
        assert_eq!(driven.join().unwrap(), Ok(Standing::Ended(RunOutcome::Cancelled)));
    });
    yard.ended("run", RunOutcome::Cancelled);
    let told = |event: &RunEvent| matches!(event, RunEvent::Ended { why: Some(why), .. } if why.contains("grace"));
    assert_eq!(yard.count("run", told), 1, "it says who ended it");
    assert_eq!(yard.begun("run").into_keys().collect::<Vec<_>>(), ["a"]);
    // Asking again changes nothing, and neither does driving.
    yard.unchanged("run", || {
        yard.open().cancel("run", "ada", None).unwrap();
        assert_eq!(yard.drive("run"), Standing::Ended(RunOutcome::Cancelled));
    });
    assert_eq!(yard.count("run", |event| matches!(event, RunEvent::CancelRequested { .. })), 1);
}
