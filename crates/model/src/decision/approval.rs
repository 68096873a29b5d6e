//! Approvals that a decision rests on: what an approver of a decision is shown, and what a run's journal has.

use super::record::DecisionActor;
use crate::{GateSubject, SignedApproval};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Everything that an approver of a decision is shown. Its hash is what is approved, so that an approval counts for one
/// decision in one context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionSubject {
    /// The gate.
    pub gate_id: String,
    /// The role that approves.
    pub approver_role: String,
    /// The hash of the compiled context.
    #[schemars(with = "String")]
    pub context: ContentHash,
    /// The key of the decision's spec.
    pub decision_key: String,
    /// The version of the spec.
    pub version: String,
    /// The party that decided.
    pub actor: DecisionActor,
    /// The subjects of the decision.
    pub subject_ids: Vec<String>,
    /// What is decided about.
    pub inputs: Map<String, Value>,
    /// What is decided.
    pub outputs: Map<String, Value>,
    /// The evidence that the decision cites. The hash of the context covers its content.
    pub evidence_refs: Vec<String>,
    /// The time at which an approval expires, in RFC 3339.
    pub expires_at: String,
}

/// The facts of a run that the critic reads, from its journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunEvidence {
    /// The run.
    pub run_id: String,
    /// The steps of its plan, in order.
    pub steps: Vec<String>,
    /// The decisions at its gates.
    pub approvals: Vec<JournaledApproval>,
}

/// A decision at a gate of a run, with what the approver was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JournaledApproval {
    /// What the approver was shown.
    pub subject: GateSubject,
    /// The decision.
    pub signed: SignedApproval,
}
