//! A golden case: what a request must compile to.

use super::block::Bucket;
use super::evidence::EvidenceItem;
use super::ledger::{EvidenceReason, MemoryReason, RuleVerdict, ToolCheck};
use super::memory::MemoryItem;
use super::request::InvokeRequest;
use super::run::RunContext;
use crate::ArgConstraint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A request with everything that a compile reads, and what must come of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldenCase {
    /// What the case shows, in a sentence.
    pub description: String,
    /// The overlays to apply, by name.
    #[serde(default)]
    pub overlays: Vec<String>,
    /// The request.
    #[schemars(with = "InvokeRequest")]
    pub request: Value,
    /// The run; `as_of` must be there.
    #[schemars(with = "RunContext")]
    pub run: Value,
    /// Evidence.
    #[serde(default)]
    #[schemars(with = "Vec<EvidenceItem>")]
    pub evidence: Vec<Value>,
    /// Memory.
    #[serde(default)]
    #[schemars(with = "Vec<MemoryItem>")]
    pub memory: Vec<Value>,
    /// What must come of it. What is left out is not compared.
    pub expect: GoldenExpectation,
}

/// What a compile must give. Lists are compared as wholes, maps by the keys that are given, unless it says otherwise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldenExpectation {
    /// `compiled`, `must_escalate`, `must_refuse` or `refused`.
    #[schemars(regex(pattern = r"^(compiled|must_escalate|must_refuse|refused)$"))]
    pub outcome: String,
    /// The code of the refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Rules that fire, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
    /// Verdicts by rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub verdicts: BTreeMap<String, RuleVerdict>,
    /// Surfaced tools (`adapter.capability`), in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The checks that hide a capability.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hidden: BTreeMap<String, Vec<ToolCheck>>,
    /// Bounds on arguments by capability; each must be among those in force.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, BTreeMap<String, ArgConstraint>>,
    /// References in the evidence manifest, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<String>>,
    /// The reasons against a piece of evidence.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected_evidence: BTreeMap<String, Vec<EvidenceReason>>,
    /// Memories that are kept, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Vec<String>>,
    /// The reasons against a memory.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected_memory: BTreeMap<String, Vec<MemoryReason>>,
    /// The controls, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_refuse: Option<Vec<String>>,
    /// The controls, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_escalate: Option<Vec<String>>,
    /// The controls, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_gates_active: Option<Vec<String>>,
    /// The controls, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redaction_rules_active: Option<Vec<String>>,
    /// How often each redaction rule hides something; all that are not named must hide nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redactions: Option<BTreeMap<String, u64>>,
    /// Blocks in the prompt, by priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<String>>,
    /// Blocks that find no room, by bucket; all that are not named must keep theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<BTreeMap<Bucket, Vec<String>>>,
    /// Texts that stand in the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_has: Vec<String>,
    /// Texts that must not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_lacks: Vec<String>,
    /// Tokens that each bucket is given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tokens_allocated: BTreeMap<Bucket, u64>,
    /// The whole result by its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiled_context_hash: Option<String>,
}
