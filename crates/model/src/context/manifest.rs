//! Manifests: the rules that fired, the tools that may be used, the evidence that may be cited.

use super::endpoint::ToolEndpoint;
use crate::{ApprovalMode, ArgConstraint};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The three manifests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifests<'a> {
    /// Admitted evidence whose block was kept.
    pub evidence_manifest: Vec<EvidenceEntry<'a>>,
    /// Rules that fired, by bundle.
    pub policy_manifest: Vec<PolicyEntry<'a>>,
    /// Surfaced tools, by adapter.
    pub tool_manifest: Vec<ToolEntry<'a>>,
}

/// The rules of one bundle that fired, in order of evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyEntry<'a> {
    /// The bundle.
    pub bundle_id: Cow<'a, str>,
    /// Its rules.
    pub rule_ids: Vec<Cow<'a, str>>,
}

/// The surfaced capabilities of one adapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolEntry<'a> {
    /// The adapter.
    pub adapter_id: Cow<'a, str>,
    /// Its capabilities, in the order of the registry.
    pub capabilities: Vec<Cow<'a, str>>,
    /// The bounds and the derivation of each capability.
    pub capability_metadata: BTreeMap<Cow<'a, str>, CapabilityMetadata<'a>>,
    /// The endpoint, where an environment is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<ToolEndpoint<'a>>,
}

/// The bounds and the derivation of a capability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapabilityMetadata<'a> {
    /// The approval gates that a call must pass now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approval_gates: Vec<Cow<'a, str>>,
    /// The approval gates that a call may have to pass, depending on its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approval_gates_by_call: Vec<Cow<'a, str>>,
    /// The effective mode: the declared one, unless policy lowers it.
    pub approval_mode: ApprovalMode,
    /// Bounds on its arguments, each with its source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arg_constraints: Vec<BoundArguments<'a>>,
    /// The mode that the registry declares.
    pub declared_mode: ApprovalMode,
    /// The parts of pack and policy that surfaced it: adapter, permissions and rules.
    pub derivation: Vec<Cow<'a, str>>,
    /// The kind of capability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Cow<'a, str>>,
    /// The risk level, in the pack's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_level: Option<Cow<'a, str>>,
    /// Rules that decide about a call when it is made, by its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules_by_call: Vec<Cow<'a, str>>,
    /// Schema of its calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_ref: Option<Cow<'a, str>>,
}

/// Bounds on the arguments of a call, from one source. All of them apply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoundArguments<'a> {
    /// Bounds by argument.
    pub arguments: Cow<'a, BTreeMap<String, ArgConstraint>>,
    /// `permission:<id>` or `rule:<id>`.
    pub source: Cow<'a, str>,
}

/// A piece of evidence that a decision may cite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceEntry<'a> {
    /// Its reference.
    pub evidence_ref: Cow<'a, str>,
    /// Hash of its payload as it was supplied.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// The id of its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Cow<'a, str>>,
}
