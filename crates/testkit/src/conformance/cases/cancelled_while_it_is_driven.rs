//! A run that this process drives is cancelled through another engine of the same process, in the middle of a step.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, script, stalls};
use crate::conformance::watch::Watch;
use deed_model::{RunEvent, RunOutcome};
use deed_ports::Standing;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![stalls("a"), script("b", json!({ "depends_on": ["a"] }))]));
    let watch = Watch::new();
    std::thread::scope(|scope| {
        let driven = scope.spawn(|| fixture.open().drive("run", watch.clone()));
        watch.until(|event| matches!(event, RunEvent::Progress { .. }));
        fixture.open().cancel("run", "grace", Some("no longer needed")).unwrap();
        assert_eq!(driven.join().unwrap(), Ok(Standing::Ended(RunOutcome::Cancelled)));
    });
    fixture.ended("run", RunOutcome::Cancelled);
    let names_actor =
        |event: &RunEvent| matches!(event, RunEvent::Ended { why: Some(why), .. } if why.contains("grace"));
    assert_eq!(fixture.count("run", names_actor), 1, "it says who ended it");
    assert_eq!(fixture.begun("run").into_keys().collect::<Vec<_>>(), ["a"]);
    // Asking again changes nothing, and neither does driving.
    fixture.unchanged("run", || {
        fixture.open().cancel("run", "ada", None).unwrap();
        assert_eq!(fixture.drive("run"), Standing::Ended(RunOutcome::Cancelled));
    });
    assert_eq!(fixture.count("run", |event| matches!(event, RunEvent::CancelRequested { .. })), 1);
}
