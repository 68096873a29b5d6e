//! The first decision counts: a second one is refused before the first is used, after it, and after the run has ended.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{DECIDED, expect};
use crate::conformance::scenario::Scenario;
use deed_model::{GateDecision, RunEvent, RunOutcome};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    let answers = [(GateDecision::Approved, RunOutcome::Succeeded), (GateDecision::Rejected, RunOutcome::Failed)];
    for (first, outcome) in answers {
        let run = outcome.as_str();
        fixture.submit(&Scenario::gated(run));
        assert!(matches!(fixture.drive(run), Standing::Waiting(_)));
        let asked = fixture.question(run);
        fixture.open().decide(run, fixture.signed(&asked, first)).unwrap();
        let again = || {
            for (decision, _) in answers {
                let signed = fixture.signed(&asked, decision);
                fixture.unchanged(run, || expect(fixture.open().decide(run, signed), DECIDED));
            }
        };
        again();
        assert_eq!(fixture.drive(run), Standing::Ended(outcome));
        again();
        fixture.ended(run, outcome);
        let used = usize::from(first == GateDecision::Approved);
        assert_eq!(fixture.count(run, |event| matches!(event, RunEvent::ApprovalUsed { .. })), used);
        assert_eq!(fixture.begun(run).contains_key("b"), first == GateDecision::Approved);
    }
}
