//! Approvals of decisions: what an approver is shown, and their signed answer.
//!
//! What is shown names the compiled context and everything that was decided, so that an approval counts for one decision
//! in one context, in one role, until it expires.

use crate::claim::{Claim, context_hash};
use deed_canon::{CanonError, ContentHash, SigningKey, Statement, Subject, derive_id, hash_of};
use deed_detect::CharClass;
use deed_model::{
    APPROVAL_PREDICATE, APPROVAL_TAG, Approval, CompiledContext, DECISION_SUBJECT_TAG, DecisionDraft, DecisionSubject,
    GateDecision, SignedApproval,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::collections::BTreeMap;

/// An approver's answer.
#[derive(Debug, Clone, Copy)]
pub struct Approver<'a> {
    /// The approver.
    pub name: &'a str,
    /// The role in which they answer.
    pub role: &'a str,
    /// The answer.
    pub decision: GateDecision,
    /// The time of the answer.
    pub at: Timestamp,
    /// A remark.
    pub note: Option<&'a str>,
}

/// The reason why a decision cannot be put before an approver, or be signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalError {
    /// The context does not ask at this gate.
    NotAsked {
        /// The gates at which it asks.
        gates: Vec<String>,
    },
    /// The gate is for another role.
    OtherRole {
        /// The role that it is for.
        role: String,
    },
    /// The lifetime of an approval ends at no time that a calendar has.
    NoExpiry,
    /// What would be shown has a character that an approver cannot see.
    HiddenText {
        /// JSON Pointer into the subject.
        pointer: String,
        /// The character.
        character: char,
    },
    /// What would be shown has no canonical form.
    NoCanonicalForm(String),
}

impl std::fmt::Display for ApprovalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAsked { gates } if gates.is_empty() => f.write_str("the context asks for no approval"),
            Self::NotAsked { gates } => write!(f, "the context asks at {}, and not at this gate", gates.join(", ")),
            Self::OtherRole { role } => write!(f, "this gate is for `{role}`"),
            Self::NoExpiry => f.write_str("the approval would expire at a time that no calendar has"),
            Self::HiddenText { pointer, character } => {
                let number = u32::from(*character);
                write!(f, "what would be shown has a character that cannot be seen, at `{pointer}`: U+{number:04X}")
            }
            Self::NoCanonicalForm(why) => write!(f, "what would be shown has no canonical form: {why}"),
        }
    }
}

impl From<CanonError> for ApprovalError {
    fn from(error: CanonError) -> Self {
        Self::NoCanonicalForm(error.to_string())
    }
}

/// Returns what an approver of a draft is shown at a gate.
///
/// # Errors
/// If the context does not ask at this gate, the gate is for another role, or a text has hidden characters.
pub fn subject(
    draft: &DecisionDraft,
    context: &CompiledContext<'_>,
    gate_id: &str,
    role: &str,
    at: Timestamp,
) -> Result<DecisionSubject, ApprovalError> {
    let demands = &context.runtime_controls.approvals;
    let Some(demand) = demands.iter().find(|demand| demand.gate.gate_id == gate_id) else {
        return Err(ApprovalError::NotAsked { gates: demands.iter().map(|d| d.gate.gate_id.to_string()).collect() });
    };
    if let Some(required) = demand.gate.required_approver_role.as_deref().filter(|required| *required != role) {
        return Err(ApprovalError::OtherRole { role: required.to_owned() });
    }
    let seconds = demand.gate.ttl_seconds.unwrap_or(DEFAULT_SECONDS);
    let lifetime = i64::try_from(seconds).map_err(|_| ApprovalError::NoExpiry)?;
    let expires_at = at.checked_add(SignedDuration::from_secs(lifetime)).map_err(|_| ApprovalError::NoExpiry)?;
    let subject = shown(&Claim::of_draft(draft, context), context, gate_id, role, expires_at.to_string());
    let value = serde_json::to_value(&subject).map_err(|error| ApprovalError::NoCanonicalForm(error.to_string()))?;
    match hidden(&value, "") {
        Some((pointer, character)) => Err(ApprovalError::HiddenText { pointer, character }),
        None => Ok(subject),
    }
}

/// The lifetime of an approval at a gate that states none: an hour.
const DEFAULT_SECONDS: u64 = 3_600;

/// Returns what an approver of a claim was shown at a gate.
pub(crate) fn shown(
    claim: &Claim,
    context: &CompiledContext<'_>,
    gate_id: &str,
    role: &str,
    expires_at: String,
) -> DecisionSubject {
    DecisionSubject {
        gate_id: gate_id.to_owned(),
        approver_role: role.to_owned(),
        context: context_hash(context),
        decision_key: claim.decision_key.clone(),
        version: claim.version.clone(),
        actor: claim.actor.clone(),
        subject_ids: claim.subject_ids.clone(),
        inputs: claim.inputs.clone(),
        outputs: claim.outputs.clone(),
        evidence_refs: claim.evidence_refs.clone(),
        expires_at,
    }
}

/// Computes the hash of what an approver is shown.
///
/// # Errors
/// If it has no canonical form.
pub fn subject_hash(subject: &DecisionSubject) -> Result<ContentHash, CanonError> {
    hash_of(&DECISION_SUBJECT_TAG, subject)
}

/// Signs an approver's answer.
///
/// # Errors
/// If what was shown has no canonical form.
pub fn approve(
    subject: &DecisionSubject,
    approver: Approver<'_>,
    key: &SigningKey,
) -> Result<SignedApproval, ApprovalError> {
    let subject_hash = subject_hash(subject)?;
    let mut approval = Approval {
        approval_id: String::new(),
        gate_id: subject.gate_id.clone(),
        subject_hash,
        decision: approver.decision,
        role: approver.role.to_owned(),
        approver: approver.name.to_owned(),
        authority: None,
        authority_since: None,
        decided_at: approver.at.to_string(),
        expires_at: subject.expires_at.clone(),
        note: approver.note.map(str::to_owned),
    };
    approval.approval_id = derive_id("apr", &hash_of(&APPROVAL_TAG, &approval)?);
    let predicate =
        serde_json::to_value(&approval).map_err(|error| ApprovalError::NoCanonicalForm(error.to_string()))?;
    let about = vec![about(&decision_name(&subject.gate_id), &subject_hash)];
    let envelope = Statement::new(about, APPROVAL_PREDICATE, predicate).sign(key)?;
    Ok(SignedApproval { approval, envelope })
}

/// Returns the name under which an approval of a decision is signed.
pub(crate) fn decision_name(gate_id: &str) -> String {
    format!("decision/{gate_id}")
}

/// Returns the subject of a statement about what was shown.
pub(crate) fn about(name: &str, subject_hash: &ContentHash) -> Subject {
    Subject { name: name.to_owned(), digest: BTreeMap::from([("sha256".to_owned(), subject_hash.hex())]) }
}

/// Returns the first character that an approver would not read as it is, and its place.
fn hidden(value: &Value, at: &str) -> Option<(String, char)> {
    let in_text = |text: &str| {
        let found = text.chars().find(|c| CharClass::of(*c) != CharClass::Plain)?;
        Some((at.to_owned(), found))
    };
    match value {
        Value::String(text) => in_text(text),
        Value::Array(items) => items.iter().enumerate().find_map(|(i, item)| hidden(item, &format!("{at}/{i}"))),
        Value::Object(members) => {
            members.iter().find_map(|(name, member)| in_text(name).or_else(|| hidden(member, &format!("{at}/{name}"))))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
