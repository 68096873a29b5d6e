//! Processes submit two different runs under one name at the same instant: one is accepted, the same request again
//! succeeds without creating it, and the other request is refused.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::CONFLICT;
use crate::conformance::scenario::{Scenario, script};
use crate::conformance::task::{Message, Task};
use deed_model::RunEvent;
use serde_json::json;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let one = Scenario::new("run", vec![script("a", json!({}))]);
    let other = Scenario::new("run", vec![script("b", json!({}))]);
    let requests = [&one, &other, &one, &other].map(|scenario| fixture.request(scenario));
    let submit = |request: &_| fixture.process(Task::Submit { request: Box::new(Clone::clone(request)) });
    let mut processes = requests.each_ref().map(submit);
    processes.iter_mut().for_each(|process| process.go());
    let messages = processes.map(crate::conformance::process::Process::finish);
    let events = fixture.events("run");
    let [RunEvent::Submitted { run }] = events.as_slice() else { panic!("{events:?}") };
    let mut new = 0;
    for (request, one) in requests.iter().zip(&messages) {
        match one {
            Message::Submitted { new: begun } if *request == **run => new += usize::from(*begun),
            Message::Refused(word) if *request != **run => assert_eq!(word, CONFLICT),
            other => panic!("{other:?} of {messages:?}"),
        }
    }
    assert_eq!(new, 1, "{messages:?}");
    fixture.succeeds("run");
}
