//! The process is killed at each event that it tells of, in a run of its own each time, and another one goes on.

use crate::conformance::Candidate;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::{Task, Told};
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let undisturbed = Scenario::new("undisturbed", vec![sends("a", &yard.effects, &["one"], json!({}))]);
    yard.submit(&undisturbed);
    yard.succeeds("undisturbed");
    yard.effects.each_once(&["one"]);
    for last in 0.. {
        let run = format!("run-{last}");
        yard.submit(&undisturbed.named(&run));
        let mut process = yard.process(Task::Drive { run_id: run.clone(), stop_at: Some(last) });
        process.go();
        let heard = (0..=last).map(|_| process.next()).find(|told| !matches!(told, Told::Happened(_)));
        match heard {
            None => process.kill(),
            Some(told) => {
                assert_eq!(told, Told::Ended(RunOutcome::Succeeded));
                assert!(last >= 7, "only {last} events");
                break;
            }
        }
        yard.succeeds(&run);
        assert_eq!(yard.made(&run), yard.made("undisturbed"), "killed at event {last}");
        assert!(yard.effects.each_once(&["one"]) <= 1, "killed at event {last}");
    }
}
