//! The process is killed at each event that it reports, in a run of its own each time, and another one resumes.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::{Message, Task};
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let undisturbed = Scenario::new("undisturbed", vec![sends("a", &fixture.effects, &["one"], json!({}))]);
    fixture.submit(&undisturbed);
    fixture.succeeds("undisturbed");
    fixture.effects.each_once(&["one"]);
    for last in 0.. {
        let run = format!("run-{last}");
        fixture.submit(&undisturbed.named(&run));
        let mut process = fixture.process(Task::Drive { run_id: run.clone(), stop_at: Some(last) });
        process.go();
        let heard = (0..=last).map(|_| process.next()).find(|message| !matches!(message, Message::Happened(_)));
        match heard {
            None => process.kill(),
            Some(message) => {
                assert_eq!(message, Message::Ended(RunOutcome::Succeeded));
                assert!(last >= 7, "only {last} events");
                break;
            }
        }
        fixture.succeeds(&run);
        assert_eq!(fixture.made(&run), fixture.made("undisturbed"), "killed at event {last}");
        assert!(fixture.effects.each_once(&["one"]) <= 1, "killed at event {last}");
    }
}
