//! The run context: the run that a request belongs to.

use crate::{ApprovalMode, Classification};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Everything about a run that the compiler may read. Predicates see its fields, and any others that the caller adds,
/// at their top level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunContext {
    /// Unique id of the run.
    #[schemars(length(min = 1))]
    pub run_id: String,
    /// The tenant of the run.
    #[schemars(length(min = 1))]
    pub tenant_id: String,
    /// The highest mode that a surfaced capability may have.
    pub safety_mode: ApprovalMode,
    /// The user on whose behalf the run acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<RunUser>,
    /// The agents besides the user that may decide in this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<RunAgent>,
    /// The instant that lifetimes are judged at, as an RFC 3339 time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// The graph snapshot that `kg:` evidence must be bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kg_snapshot_id: Option<String>,
    /// The session that `session:` evidence must belong to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The subjects of the run; recalled memory must be about one of them. The user if it is left out. The order has no
    /// meaning: rules see them sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subject_ids: Vec<String>,
    /// The intent, if the run was opened for one; must agree with the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// A ceiling below the pack's own for the classification of evidence and memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_classification: Option<Classification>,
    /// Capabilities that this run may not use. The order has no meaning: rules see them sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prohibitions: Vec<Prohibition>,
    /// The token budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_budget: Option<RunBudget>,
    /// The tokenizer: `o200k_base` (the default), `cl100k_base`, or `bytes/<n>` for an estimate of `n` bytes per token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<String>,
    /// Versions of components beyond `runtime` and `ontology`, for `compatibility.requires`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub components: BTreeMap<String, String>,
    /// The ontology versions that are available to the run, by namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ontologies: Option<BTreeMap<String, Vec<String>>>,
    /// Pinned pack and overlays, if the run names them too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_pack_refs: Vec<String>,
    /// The caller's own fields, for predicates.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The user on whose behalf a run acts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunUser {
    /// Id of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The user's role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The caller's own fields, for predicates.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// An agent that may decide in a run besides its user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RunAgent {
    /// Id of the agent.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The role in which it decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// A capability that a run may not use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Prohibition {
    /// The adapter.
    pub adapter_id: String,
    /// The capability; all of the adapter's if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
}

/// The token budget of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunBudget {
    /// Tokens of the context: in all, or by bucket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket_tokens: Option<BucketTokens>,
}

/// Tokens of the context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BucketTokens {
    /// The total: head and buckets sum to it.
    Total(u64),
    /// Per bucket, with the head apart. A bucket that is left out has none.
    ByBucket(BTreeMap<String, u64>),
}
