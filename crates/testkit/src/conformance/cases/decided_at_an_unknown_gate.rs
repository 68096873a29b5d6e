//! A decision at a gate that the run does not have, or that is not open yet, is refused.

use crate::conformance::Candidate;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::Scenario;
use deed_model::{GateDecision, GateSubject};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    ["run", "early"].iter().for_each(|run| fixture.submit(&Scenario::gated(run)));
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    let asked = fixture.question("run");
    let elsewhere = GateSubject { gate_id: "nowhere".to_owned(), ..asked.clone() };
    let early = GateSubject { run_id: "early".to_owned(), ..asked };
    for subject in [elsewhere, early] {
        let run = subject.run_id.as_str();
        let signed = fixture.signed(&subject, GateDecision::Approved);
        fixture.unchanged(run, || expect(fixture.open().decide(run, signed), NOT_ASKED));
    }
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    assert!(!fixture.begun("run").contains_key("b"));
}
