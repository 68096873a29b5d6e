//! Several people answer at the same instant, half of them with no: exactly one is told that their answer counts, the
//! others are told that the gate was decided, and what happens is what that one decided.

use crate::conformance::Candidate;
use crate::conformance::refusal::{DECIDED, word};
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_model::{GateDecision, RunEvent, RunOutcome};
use deed_ports::Standing;
use std::sync::Barrier;

const PEOPLE: usize = 12;
/// How many gates are decided: the answers have to meet in time.
const GATES: usize = 8;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    for number in 0..GATES {
        decided(&yard, &format!("run{number}"));
    }
}

fn decided(yard: &Yard<'_>, run: &str) {
    yard.submit(&Scenario::gated(run));
    assert!(matches!(yard.drive(run), Standing::Waiting(_)));
    let asked = yard.question(run);
    let start = Barrier::new(PEOPLE);
    let decide = &|number: usize| {
        let decision = if number.is_multiple_of(2) { GateDecision::Approved } else { GateDecision::Rejected };
        let (engine, signed) = (yard.open(), yard.signed(&asked, decision));
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
    let written: Vec<GateDecision> = yard
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
    assert_eq!(yard.drive(run), Standing::Ended(outcome));
    yard.ended(run, outcome);
    assert_eq!(yard.count(run, |event| matches!(event, RunEvent::ApprovalUsed { .. })), usize::from(approved));
    assert_eq!(yard.begun(run).contains_key("b"), approved);
}
