//! A decision counts only as it was signed: one that another key signed is refused, and one whose signature is about
//! another decision.

use crate::conformance::Candidate;
use crate::conformance::approval;
use crate::conformance::fixture::Fixture;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::{ROLE, Scenario};
use deed_canon::SigningKey;
use deed_model::{GateDecision, SignedApproval};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let fixture = Fixture::new(candidate);
    fixture.submit(&Scenario::gated("run"));
    assert!(matches!(fixture.drive("run"), Standing::Waiting(_)));
    let asked = fixture.question("run");
    let yes = fixture.signed(&asked, GateDecision::Approved);
    let stranger = SigningKey::from_seed(&[99; 32]);
    let signed = approval::sign(&asked, GateDecision::Approved, ROLE, &yes.approval.decided_at, &stranger);
    let no = fixture.signed(&asked, GateDecision::Rejected);
    for signed in [signed, SignedApproval { approval: yes.approval, envelope: no.envelope }] {
        fixture.unchanged("run", || expect(fixture.open().decide("run", signed), NOT_ASKED));
    }
    assert_eq!(fixture.drive("run"), Standing::Waiting(vec![asked]));
    assert!(!fixture.begun("run").contains_key("b"));
}
