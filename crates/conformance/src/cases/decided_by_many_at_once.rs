//! Several people answer at the same instant, half of them with no: the answer that is written first counts, and counts
//! once.

use crate::Candidate;
use crate::scenario::Scenario;
use crate::yard::Yard;
use deed_model::{GateDecision, RunEvent, RunOutcome};
use deed_ports::Standing;
use std::sync::Barrier;

const PEOPLE: usize = 6;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::gated("run"));
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    let asked = yard.question("run");
    let start = Barrier::new(PEOPLE);
    let decide = &|number: usize| {
        let decision = if number.is_multiple_of(2) { GateDecision::Approved } else { GateDecision::Rejected };
        let (engine, signed) = (yard.open(), yard.signed(&asked, decision));
        start.wait();
        engine.decide("run", signed).is_ok()
    };
    let taken_in = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..PEOPLE).map(|number| scope.spawn(move || decide(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).filter(|taken_in| *taken_in).count()
    });
    assert!(taken_in >= 1);
    let first = yard.events("run").into_iter().find_map(|event| match event {
        RunEvent::GateDecided { signed } => Some(signed.approval.decision),
        _ => None,
    });
    let approved = first.unwrap() == GateDecision::Approved;
    let outcome = if approved { RunOutcome::Succeeded } else { RunOutcome::Failed };
    assert_eq!(yard.drive("run"), Standing::Ended(outcome));
    yard.ended("run", outcome);
    assert_eq!(yard.count("run", |event| matches!(event, RunEvent::ApprovalUsed { .. })), usize::from(approved));
}
