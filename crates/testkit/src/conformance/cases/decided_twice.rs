//! One answer counts, the first: a second one is refused before the first is used, after it, and when the run is over.

use crate::conformance::Candidate;
use crate::conformance::refusal::{DECIDED, expect};
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_model::{GateDecision, RunEvent, RunOutcome};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    let answers = [(GateDecision::Approved, RunOutcome::Succeeded), (GateDecision::Rejected, RunOutcome::Failed)];
    for (first, outcome) in answers {
        let run = outcome.as_str();
        yard.submit(&Scenario::gated(run));
        assert!(matches!(yard.drive(run), Standing::Waiting(_)));
        let asked = yard.question(run);
        yard.open().decide(run, yard.signed(&asked, first)).unwrap();
        let again = || {
            for (decision, _) in answers {
                let signed = yard.signed(&asked, decision);
                yard.unchanged(run, || expect(yard.open().decide(run, signed), DECIDED));
            }
        };
        again();
        assert_eq!(yard.drive(run), Standing::Ended(outcome));
        again();
        yard.ended(run, outcome);
        let used = usize::from(first == GateDecision::Approved);
        assert_eq!(yard.count(run, |event| matches!(event, RunEvent::ApprovalUsed { .. })), used);
        assert_eq!(yard.begun(run).contains_key("b"), first == GateDecision::Approved);
    }
}
