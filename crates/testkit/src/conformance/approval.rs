//! Signed decisions, also unsolicited ones. They are built here from the documented form, and not with the
//! engine's own code.

use deed_canon::{ContentHash, SigningKey, Statement, Subject, derive_id, hash_of};
use deed_model::{
    APPROVAL_PREDICATE, APPROVAL_TAG, Approval, GATE_SUBJECT_TAG, GateDecision, GateSubject, SignedApproval,
};
use std::collections::BTreeMap;

/// The hash of a gate subject.
pub(crate) fn hash(subject: &GateSubject) -> ContentHash {
    hash_of(&GATE_SUBJECT_TAG, subject).unwrap()
}

/// Signs a decision about a gate subject, in a role, at a time.
pub(crate) fn sign(
    subject: &GateSubject,
    decision: GateDecision,
    role: &str,
    decided_at: &str,
    key: &SigningKey,
) -> SignedApproval {
    let mut approval = Approval {
        approval_id: String::new(),
        gate_id: subject.gate_id.clone(),
        subject_hash: hash(subject),
        decision,
        role: role.to_owned(),
        approver: "grace".to_owned(),
        authority: None,
        authority_since: None,
        decided_at: decided_at.to_owned(),
        expires_at: subject.expires_at.clone(),
        note: None,
    };
    approval.approval_id = derive_id("apr", &hash_of(&APPROVAL_TAG, &approval).unwrap());
    let digest = BTreeMap::from([("sha256".to_owned(), approval.subject_hash.hex())]);
    let about = Subject { name: format!("{}/{}", subject.run_id, subject.gate_id), digest };
    let predicate = serde_json::to_value(&approval).unwrap();
    let envelope = Statement::new(vec![about], APPROVAL_PREDICATE, predicate).sign(key).unwrap();
    SignedApproval { approval, envelope }
}
