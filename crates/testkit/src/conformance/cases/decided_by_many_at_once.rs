//! Several people decide at the same instant, half of them with no: exactly one decision is accepted, the others are
//! refused because the gate was decided, and the run follows the accepted one.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{DECIDED, word};
use crate::conformance::scenario::Scenario;
use deed_model::{GateDecision, RunEvent, RunOutcome};
use deed_ports::Standing;
use std::sync::Barrier;

const PEOPLE: usize = 12;
/// The number of gates that are decided: the decisions have to collide.
const GATES: usize = 8;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    for number in 0..GATES {
        decided(&fixture, &format!("run{number}"));
    }
}

fn decided(fixture: &Fixture<'_>, run: &str) {
    fixture.submit(&Scenario::gated(run));
    assert!(matches!(fixture.drive(run), Standing::Waiting(_)));
    let asked = fixture.question(run);
    let start = Barrier::new(PEOPLE);
    let decide = &|number: usize| {
        let decision = if number.is_multiple_of(2) { GateDecision::Approved } else { GateDecision::Rejected };
        let (engine, signed) = (fixture.open(), fixture.signed(&asked, decision));
        start.wait();
        match engine.decide(run, signed) {
            Ok(()) => Some(decision),
            Err(error) => {
                assert_eq!(word(&error), DECIDED, "{error}");
                None
            }
        }
    };
    let taken_in: Vec<GateDecision> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..PEOPLE).map(|number| scope.spawn(move || decide(number))).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    });
    let [winner] = taken_in.as_slice() else { panic!("one answer counts, and not {taken_in:?}") };
    let written: Vec<GateDecision> = fixture
        .events(run)
        .into_iter()
        .filter_map(|event| match event {
            RunEvent::GateDecided { signed } => Some(signed.approval.decision),
            _ => None,
        })
        .collect();
    assert_eq!(written, [*winner]);
    let approved = *winner == GateDecision::Approved;
    let outcome = if approved { RunOutcome::Succeeded } else { RunOutcome::Failed };
    assert_eq!(fixture.drive(run), Standing::Ended(outcome));
    fixture.ended(run, outcome);
    assert_eq!(fixture.count(run, |event| matches!(event, RunEvent::ApprovalUsed { .. })), usize::from(approved));
    assert_eq!(fixture.begun(run).contains_key("b"), approved);
}
