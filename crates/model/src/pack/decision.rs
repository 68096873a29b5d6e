//! The typed decisions that a run may emit.

use crate::ApprovalMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The decisions of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DecisionLayer {
    /// At least one: otherwise a run returns free text.
    #[schemars(length(min = 1))]
    pub decision_specs: Vec<DecisionSpec>,
}

/// One kind of decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DecisionSpec {
    /// Unique key, such as `support.refund.execute`.
    #[schemars(length(min = 1))]
    pub decision_key: String,
    /// Version of the spec: three numbers.
    #[schemars(regex(pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"))]
    pub version: String,
    /// Who answers for it.
    pub owner_role: String,
    /// What must be known before it is taken.
    #[serde(default)]
    #[schemars(inner(length(min = 1)))]
    pub required_evidence: Vec<String>,
    /// The closed set of outcomes.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub allowed_outcomes: Vec<String>,
    /// At least as strict as any effect that the decision can have.
    pub approval_mode: ApprovalMode,
    /// What the decision entitles to, such as `execute` or `recommend`.
    pub decision_right: String,
    /// Schema of its inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs_schema_ref: Option<String>,
    /// Schema of its outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs_schema_ref: Option<String>,
    /// What it is for; changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
