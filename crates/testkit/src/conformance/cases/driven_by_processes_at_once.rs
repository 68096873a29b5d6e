//! Processes begin to drive a run at the same instant: one of them drives it, and no effect is even requested twice.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::process::Process;
use crate::conformance::refusal::HELD;
use crate::conformance::scenario::{Scenario, sends};
use crate::conformance::task::{Message, Task};
use deed_model::RunOutcome;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::new("run", vec![sends("a", &fixture.effects, &["one"], json!({}))]));
    let mut processes = [0, 1, 2].map(|_| fixture.process(Task::Drive { run_id: "run".to_owned(), stop_at: None }));
    processes.iter_mut().for_each(Process::go);
    let messages = processes.map(Process::finish);
    let ended = Message::Ended(RunOutcome::Succeeded);
    assert!(messages.contains(&ended), "{messages:?}");
    assert!(
        messages.iter().all(|message| *message == ended || *message == Message::Refused(HELD.to_owned())),
        "{messages:?}"
    );
    assert_eq!(fixture.effects.each_once(&["one"]), 0);
    assert_eq!(fixture.begun("run").into_values().collect::<Vec<_>>(), [1]);
    fixture.ended("run", RunOutcome::Succeeded);
}
