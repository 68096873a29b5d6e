//! The id and the hash of a record, derived from its content.

use crate::claim::Claim;
use deed_canon::{CanonError, ContentHash, derive_id, hash};
use deed_model::{DECISION_RECORD_TAG, DecisionRecord, DecisionStatus, Scorecard};
use serde_json::Value;

/// Makes the record of a judged claim.
pub(crate) fn record(claim: Claim, status: DecisionStatus, scorecard: Scorecard) -> Result<DecisionRecord, CanonError> {
    let mut record = DecisionRecord {
        record_id: String::new(),
        decision_key: claim.decision_key,
        version: claim.version,
        status,
        actor: claim.actor,
        subject_ids: claim.subject_ids,
        inputs: claim.inputs,
        outputs: claim.outputs,
        evidence_refs: claim.evidence_refs,
        policy_decisions: claim.policy_decisions,
        approvals: claim.approvals,
        controls_active: claim.controls_active,
        intent: claim.intent,
        scorecard,
        lineage: claim.lineage,
        trace_id: claim.trace_id,
        record_hash: ContentHash::of_bytes(b""),
    };
    record.record_id = id(&record)?;
    record.record_hash = hash_of_record(&record)?;
    Ok(record)
}

/// Returns true if the id and the hash of a record are those of its content.
pub fn is_sealed(record: &DecisionRecord) -> bool {
    id(record).is_ok_and(|id| id == record.record_id)
        && hash_of_record(record).is_ok_and(|hash| hash == record.record_hash)
}

fn id(record: &DecisionRecord) -> Result<String, CanonError> {
    Ok(derive_id("dec", &hash(&DECISION_RECORD_TAG, &without(record, &["record_id", "record_hash"])?)?))
}

fn hash_of_record(record: &DecisionRecord) -> Result<ContentHash, CanonError> {
    hash(&DECISION_RECORD_TAG, &without(record, &["record_hash"])?)
}

fn without(record: &DecisionRecord, fields: &[&str]) -> Result<Value, CanonError> {
    let mut value = serde_json::to_value(record).map_err(|error| CanonError::NotJson(error.to_string()))?;
    if let Value::Object(members) = &mut value {
        members.retain(|name, _| !fields.contains(&name.as_str()));
    }
    Ok(value)
}
