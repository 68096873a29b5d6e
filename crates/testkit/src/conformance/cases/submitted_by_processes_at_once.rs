//! Processes submit two different runs under one name at the same instant: one is taken in, whoever asked for the same
//! is told so, and whoever asked for the other is refused.

use crate::conformance::Candidate;
use crate::conformance::refusal::CONFLICT;
use crate::conformance::scenario::{Scenario, script};
use crate::conformance::task::{Task, Told};
use crate::conformance::yard::Yard;
use deed_model::RunEvent;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let one = Scenario::new("run", vec![script("a", json!({}))]);
    let other = Scenario::new("run", vec![script("b", json!({}))]);
    let requests = [&one, &other, &one, &other].map(|scenario| yard.request(scenario));
    let submit = |request: &_| yard.process(Task::Submit { request: Box::new(Clone::clone(request)) });
    let mut processes = requests.each_ref().map(submit);
    processes.iter_mut().for_each(|process| process.go());
    let told = processes.map(crate::conformance::process::Process::finish);
    let events = yard.events("run");
    let [RunEvent::Submitted { run }] = events.as_slice() else { panic!("{events:?}") };
    let mut new = 0;
    for (request, one) in requests.iter().zip(&told) {
        match one {
            Told::Submitted { new: begun } if *request == **run => new += usize::from(*begun),
            Told::Refused(word) if *request != **run => assert_eq!(word, CONFLICT),
            other => panic!("{other:?} of {told:?}"),
        }
    }
    assert_eq!(new, 1, "{told:?}");
    yard.succeeds("run");
}
