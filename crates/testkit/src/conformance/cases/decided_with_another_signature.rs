//! A decision counts only as it was signed: one that somebody else signed is refused, and one whose signature is about
//! something else.

use crate::conformance::Candidate;
use crate::conformance::approval;
use crate::conformance::refusal::{NOT_ASKED, expect};
use crate::conformance::scenario::{ROLE, Scenario};
use crate::conformance::yard::Yard;
use deed_canon::SigningKey;
use deed_model::{GateDecision, SignedApproval};
use deed_ports::Standing;

pub(super) fn run(candidate: &dyn Candidate) {
    let yard = Yard::new(candidate);
    yard.submit(&Scenario::gated("run"));
    assert!(matches!(yard.drive("run"), Standing::Waiting(_)));
    let asked = yard.question("run");
    let yes = yard.signed(&asked, GateDecision::Approved);
    let stranger = SigningKey::from_seed(&[99; 32]);
    let signed = approval::sign(&asked, GateDecision::Approved, ROLE, &yes.approval.decided_at, &stranger);
    let no = yard.signed(&asked, GateDecision::Rejected);
    for signed in [signed, SignedApproval { approval: yes.approval, envelope: no.envelope }] {
        yard.unchanged("run", || expect(yard.open().decide("run", signed), NOT_ASKED));
    }
    assert_eq!(yard.drive("run"), Standing::Waiting(vec![asked]));
    assert!(!yard.begun("run").contains_key("b"));
}
