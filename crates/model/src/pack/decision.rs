//! The typed decisions that a run may emit.

use crate::ApprovalMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The decisions of a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DecisionLayer {
    /// At least one: without decisions a run could only return free text.
    #[schemars(length(min = 1))]
    pub decision_specs: Vec<DecisionSpec>,
    /// JSON Schemas of inputs and outputs, by name: `schema://<name>` refers to one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub schemas: BTreeMap<String, Value>,
}

/// A type of decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DecisionSpec {
    /// Unique key, such as `support.refund.execute`.
    #[schemars(length(min = 1))]
    pub decision_key: String,
    /// Version of the spec: three numbers.
    #[schemars(regex(pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"))]
    pub version: String,
    /// The owner.
    #[schemars(length(min = 1))]
    pub owner_role: String,
    /// Evidence that is required before the decision.
    #[serde(default)]
    #[schemars(inner(length(min = 1)))]
    pub required_evidence: Vec<String>,
    /// The allowed outcomes.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub allowed_outcomes: Vec<String>,
    /// The effect of each outcome; an outcome that is not listed counts as `act`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outcome_effects: BTreeMap<String, OutcomeEffect>,
    /// The approval mode; at least as strict as any effect of the decision.
    pub approval_mode: ApprovalMode,
    /// The authority that the decision carries, such as `execute` or `recommend`.
    pub decision_right: String,
    /// Schema of its inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs_schema_ref: Option<String>,
    /// Schema of its outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs_schema_ref: Option<String>,
    /// The effect of a compile without all required evidence; `note` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_insufficient_evidence: Option<InsufficientEvidence>,
    /// A description; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The effect of an outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeEffect {
    /// Nothing is done; allowed whatever policy denies.
    Refuse,
    /// A person takes over; needs no approval.
    Escalate,
    /// Something may be done: policy, gates and evidence must allow it.
    #[default]
    Act,
}

impl OutcomeEffect {
    /// Returns the effect's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Escalate => "escalate",
            Self::Act => "act",
        }
    }
}

/// The effect of missing evidence on a compile; the strictest of several decisions applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InsufficientEvidence {
    /// It is stated and has no further effect: the evidence may still be gathered.
    #[default]
    Note,
    /// A person must take over.
    Escalate,
    /// The request must be refused.
    Refuse,
}

impl InsufficientEvidence {
    /// Returns the effect's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Escalate => "escalate",
            Self::Refuse => "refuse",
        }
    }
}
