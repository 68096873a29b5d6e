//! The typed decisions that a run may emit.

use crate::ApprovalMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The decisions of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DecisionLayer {
    /// At least one: without decisions a run could only return free text.
    #[schemars(length(min = 1))]
    pub decision_specs: Vec<DecisionSpec>,
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
    pub owner_role: String,
    /// Evidence that is required before the decision.
    #[serde(default)]
    #[schemars(inner(length(min = 1)))]
    pub required_evidence: Vec<String>,
    /// The allowed outcomes.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub allowed_outcomes: Vec<String>,
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
