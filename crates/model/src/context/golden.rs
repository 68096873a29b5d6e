//! Golden cases: requests with their expected outcome.

use super::block::Bucket;
use super::call::{CallVerdict, ToolCall};
use super::evidence::EvidenceItem;
use super::ledger::{EvidenceReason, MemoryReason, RuleVerdict, ToolCheck};
use super::memory::MemoryItem;
use super::outcome::CompileOutcome;
use super::request::InvokeRequest;
use super::run::RunContext;
use super::stage::Stage;
use crate::ArgConstraint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A golden case: the inputs of a compile and the expected outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldenCase {
    /// A sentence about what the case shows.
    pub description: String,
    /// The overlays to apply, by name.
    #[serde(default)]
    pub overlays: Vec<String>,
    /// The request. A reference to the pack itself, or to an overlay of it, means the version that the case lies beside.
    #[schemars(with = "InvokeRequest")]
    pub request: Value,
    /// The run; `as_of` is required.
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
    /// The expected outcome. Fields that are left out are not compared.
    pub expect: GoldenExpectation,
}

/// A call of a tool, and the expected verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldenCall {
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// `allow`, `needs_approval` or `deny`.
    pub expect: CallVerdict,
    /// `adapter.capability`.
    #[schemars(length(min = 1))]
    pub tool: String,
}

impl GoldenCall {
    /// Returns the call.
    pub fn call(&self) -> ToolCall {
        ToolCall { arguments: self.arguments.clone(), tool: self.tool.clone() }
    }
}

/// The expected outcome of a compile. Lists are compared as wholes, maps by the keys that are listed, unless stated
/// otherwise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldenExpectation {
    /// `compiled`, `must_escalate`, `must_refuse` or `refused`.
    #[schemars(regex(pattern = r"^(compiled|must_escalate|must_refuse|refused)$"))]
    pub outcome: CompileOutcome,
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
    /// The checks that hide a capability, by capability.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hidden: BTreeMap<String, Vec<ToolCheck>>,
    /// Bounds on arguments by capability; each must be among those in force.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, BTreeMap<String, ArgConstraint>>,
    /// References in the evidence manifest, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<String>>,
    /// The reasons against a piece of evidence, by reference.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected_evidence: BTreeMap<String, Vec<EvidenceReason>>,
    /// Memories that are kept, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Vec<String>>,
    /// The reasons against a memory, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected_memory: BTreeMap<String, Vec<MemoryReason>>,
    /// The `must_refuse` controls, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_refuse: Option<Vec<String>>,
    /// The `must_escalate` controls, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_escalate: Option<Vec<String>>,
    /// The active approval gates, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_gates_active: Option<Vec<String>>,
    /// Redaction rules in force, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redaction_rules_active: Option<Vec<String>>,
    /// The number of redactions by rule; rules that are not listed must redact nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redactions: Option<BTreeMap<String, u64>>,
    /// Blocks in the prompt, by priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<String>>,
    /// Dropped blocks by bucket; buckets that are not listed must drop none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<BTreeMap<Bucket, Vec<String>>>,
    /// Calls, each with the verdict on it. They show policy that a compile leaves open until a tool is called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<GoldenCall>,
    /// Texts that the prompt must contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_has: Vec<String>,
    /// Texts that the prompt must not contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_lacks: Vec<String>,
    /// Tokens allocated to each bucket.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tokens_allocated: BTreeMap<Bucket, u64>,
    /// A hash of what each stage decided, without the version and the hashes of the pack; stages that are not listed are
    /// not compared.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stages: BTreeMap<Stage, String>,
    /// The hash of the compiled context. It covers the version and every text of the pack, so it is compared only if the
    /// case names the version that it lies beside, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiled_context_hash: Option<String>,
}
