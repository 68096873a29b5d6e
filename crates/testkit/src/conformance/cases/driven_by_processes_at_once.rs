//! Processes begin to drive a run at the same instant: one of them does, and no effect is even asked for twice.

use crate::conformance::Candidate;
use crate::conformance::process::Process;
use crate::conformance::refusal::HELD;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::{Task, Told};
use crate::conformance::yard::Yard;
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::new("run", vec![sends("a", &yard.effects, &["one"], json!({}))]));
    let mut processes = [0, 1, 2].map(|_| yard.process(Task::Drive { run_id: "run".to_owned(), stop_at: None }));
    processes.iter_mut().for_each(Process::go);
    let told = processes.map(Process::finish);
    let ended = Told::Ended(RunOutcome::Succeeded);
    assert!(told.contains(&ended), "{told:?}");
    assert!(told.iter().all(|told| *told == ended || *told == Told::Refused(HELD.to_owned())), "{told:?}");
    assert_eq!(yard.effects.each_once(&["one"]), 0);
    assert_eq!(yard.begun("run").into_values().collect::<Vec<_>>(), [1]);
    yard.ended("run", RunOutcome::Succeeded);
}
