//! A decision at a gate that the run does not have, or at which nobody has come to wait yet, is refused.

use crate::conformance::Candidate;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::Scenario;
use crate::conformance::yard::Yard;
use deed_model::{GateDecision, GateSubject};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    ["run", "early"].iter().for_each(|run| yard.submit(&Scenario::gated(run)));
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    let asked = yard.question("run");
    let elsewhere = GateSubject { gate_id: "nowhere".to_owned(), ..asked.clone() };
    let early = GateSubject { run_id: "early".to_owned(), ..asked };
    for subject in [elsewhere, early] {
        let run = subject.run_id.as_str();
        let signed = yard.signed(&subject, GateDecision::Approved);
        yard.unchanged(run, || expect(yard.open().decide(run, signed), NOT_ASKED));
    }
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    assert!(!yard.begun("run").contains_key("b"));
}
