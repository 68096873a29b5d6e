//! Documents that a pack refers to, as they are handed to a recheck when they changed. A policy bundle and a memory policy
//! have the form that they have in a pack.

use crate::{ApprovalMode, DecisionSpec, Metric};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An ontology: the terms that packs may name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OntologyDocument {
    /// `deed/ontology/v1`.
    #[schemars(regex(pattern = r"^deed/ontology/v1$"))]
    pub format: String,
    /// Its namespace.
    #[schemars(length(min = 1))]
    pub namespace: String,
    /// Its version: three numbers.
    #[schemars(regex(pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"))]
    pub version: String,
    /// Its entity types.
    pub entity_types: Vec<String>,
    /// Its relationship types.
    pub relationship_types: Vec<String>,
    /// The namespaces of identities.
    pub ceid_namespaces: Vec<String>,
}

/// The schema of an adapter that has no OpenAPI description.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdapterSchema {
    /// `deed/adapter-schema/v1`.
    #[schemars(regex(pattern = r"^deed/adapter-schema/v1$"))]
    pub format: String,
    /// The adapter.
    #[schemars(length(min = 1))]
    pub adapter_id: String,
    /// Its capabilities.
    pub capabilities: Vec<CapabilitySchema>,
}

/// The schema of a capability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapabilitySchema {
    /// Its name.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The harm that it can do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<ApprovalMode>,
    /// The JSON Schema of its arguments.
    pub arguments: Map<String, Value>,
}

/// A catalogue of decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionCatalog {
    /// `deed/decision-catalog/v1`.
    #[schemars(regex(pattern = r"^deed/decision-catalog/v1$"))]
    pub format: String,
    /// The decisions, as packs write them.
    pub decision_specs: Vec<DecisionSpec>,
}

/// The results of an evaluator over the runs of a pack version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluatorResults {
    /// `deed/evaluator-results/v1`.
    #[schemars(regex(pattern = r"^deed/evaluator-results/v1$"))]
    pub format: String,
    /// The evaluator.
    #[schemars(length(min = 1))]
    pub evaluator_id: String,
    /// Its version.
    #[schemars(length(min = 1))]
    pub evaluator_version: String,
    /// The scores.
    pub scores: Vec<EvaluatorScore>,
}

/// A score of an evaluator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluatorScore {
    /// The intent.
    #[schemars(length(min = 1))]
    pub intent: String,
    /// The metric.
    pub metric: Metric,
    /// The score of the evaluator before it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// The score now.
    pub after: f64,
}

/// The configuration of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// `deed/model-config/v1`.
    #[schemars(regex(pattern = r"^deed/model-config/v1$"))]
    pub format: String,
    /// The model.
    #[schemars(length(min = 1))]
    pub model: String,
    /// The tokenizer that counts prompts: `o200k_base`, `cl100k_base` or `bytes/4`.
    #[schemars(length(min = 1))]
    pub tokenizer: String,
    /// Tokens that a prompt and its answer may have together.
    #[schemars(range(min = 1))]
    pub context_window_tokens: u64,
    /// Tokens that an answer may have.
    #[schemars(range(min = 1))]
    pub max_output_tokens: u64,
}
