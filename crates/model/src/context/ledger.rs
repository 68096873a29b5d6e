//! The context ledger: the decisions of a compile, and a hash for each stage.

use super::block::Bucket;
use super::decision::{DecisionManifest, EvidenceRequirement, Obligation};
use super::pack_source::PackSource;
use super::stage::Stage;
use crate::{ApprovalMode, ArgConstraint, InsufficientEvidence, MemoryOrigin};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The audit summary of a compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextLedger<'a> {
    /// The instant that lifetimes were judged at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Cow<'a, str>>,
    /// A summary of the budget.
    pub budget: LedgerBudget,
    /// Typed hash over the hashes of the stages, which cover every other field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub compiled_context_hash: Option<ContentHash>,
    /// Every guardrail and gate that has a predicate, with its result.
    pub controls: Vec<LedgerControl<'a>>,
    /// Every decision of the intent, with the state of the evidence that it requires.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<LedgerDecision<'a>>,
    /// Every piece of evidence that was supplied, admitted or not.
    pub evidence: Vec<LedgerEvidence<'a>>,
    /// The intent.
    pub intent: LedgerIntent<'a>,
    /// Every memory that was supplied, admitted or not.
    pub memory: Vec<LedgerMemory<'a>>,
    /// Counts of what was neutralized in text from outside.
    pub neutralized: Neutralized,
    /// Assumptions, clamps and skipped rules.
    pub notices: Vec<LedgerNotice<'a>>,
    /// What fired rules require, with the state of its evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obligations: Vec<Obligation<'a>>,
    /// The overlays that were applied, in order.
    pub overlays: Vec<LedgerPack<'a>>,
    /// The pack.
    pub pack: LedgerPack<'a>,
    /// The origin of the pack, and the party that named it.
    #[serde(default, skip_serializing_if = "PackSource::is_unstated")]
    pub pack_source: PackSource,
    /// Every rule that fired or failed.
    pub policy_decisions: Vec<PolicyDecision<'a>>,
    /// Counts of redactions by rule; never the values.
    pub redactions: Vec<LedgerRedaction<'a>>,
    /// The request.
    pub request: LedgerRequest<'a>,
    /// Typed hash of the pack after its overlays.
    #[schemars(with = "String")]
    pub resolved_pack_hash: ContentHash,
    /// Rules whose outcome depends on the call, in order of evaluation. They are decided when a tool is called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules_by_call: Vec<Cow<'a, str>>,
    /// The run.
    pub run: LedgerRun<'a>,
    /// The part of the prompt that does not change from request to request, for provider caches.
    pub stable_prefix: StablePrefix<'a>,
    /// A hash for each stage, in order.
    pub stage_hashes: Vec<StageHash>,
    /// The tokenizer.
    pub tokenizer: LedgerTokenizer<'a>,
    /// Every capability of the registry, surfaced or not.
    pub tools: Vec<LedgerCapability<'a>>,
}

/// A decision of the intent: whether its evidence suffices, and what follows if it does not. It repeats what the compiled
/// context says, so that the ledger alone shows why a compile refused or escalated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerDecision<'a> {
    /// The decision.
    pub decision_key: Cow<'a, str>,
    /// The effect of missing evidence.
    pub on_insufficient_evidence: InsufficientEvidence,
    /// The state of each piece of evidence that it requires.
    pub required_evidence: Vec<EvidenceRequirement<'a>>,
    /// True if all of it is met.
    pub sufficient: bool,
    /// Its version.
    pub version: Cow<'a, str>,
}

impl<'a> LedgerDecision<'a> {
    /// Returns the entry of a decision.
    pub fn of(decision: &DecisionManifest<'a>) -> Self {
        Self {
            decision_key: decision.decision_key.clone(),
            on_insufficient_evidence: decision.on_insufficient_evidence,
            required_evidence: decision.required_evidence.clone(),
            sufficient: decision.sufficient,
            version: decision.version.clone(),
        }
    }
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A summary of the budget.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerBudget {
    /// Tokens of system, developer and task.
    pub head: u64,
    /// Head and buckets together.
    pub total: u64,
    /// Buckets that dropped a block.
    pub truncated: Vec<Bucket>,
    /// Tokens of all blocks.
    pub used: u64,
}

/// A pack or overlay by reference and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerPack<'a> {
    /// Typed hash of the authored document.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// `id@x.y.z`.
    pub reference: Cow<'a, str>,
}

/// The intent of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerIntent<'a> {
    /// Its class, if the pack has a catalogue.
    pub class: Option<Cow<'a, str>>,
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its task, if the pack has a catalogue.
    pub task: Option<Cow<'a, str>>,
}

/// A request by id and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerRequest<'a> {
    /// Typed hash of the request after redaction.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// Its id.
    pub request_id: Cow<'a, str>,
}

/// A run by id and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerRun<'a> {
    /// Typed hash of the run context after redaction.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// Its id.
    pub run_id: Cow<'a, str>,
    /// The run's safety mode.
    pub safety_mode: ApprovalMode,
    /// The tenant of the run.
    pub tenant_id: Cow<'a, str>,
}

/// The tokenizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerTokenizer<'a> {
    /// False for an estimate.
    pub exact: bool,
    /// The tokenizer's id, such as `o200k_base`.
    pub id: Cow<'a, str>,
}

/// The hash of a stage: over the hash of what it read, and what it decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageHash {
    /// The hash.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// The hash of everything that the stage read.
    #[schemars(with = "String")]
    pub reads: ContentHash,
    /// The stage.
    pub stage: Stage,
}

/// The verdict of a rule; the strictest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleVerdict {
    /// Allows.
    Allow,
    /// Allows under obligations.
    Require,
    /// Denies.
    Deny,
}

impl RuleVerdict {
    /// Returns the verdict's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Require => "require",
            Self::Deny => "deny",
        }
    }
}

/// The branch of a rule that applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleBranch {
    /// `then`: the predicate held.
    Then,
    /// `else`: the predicate did not hold.
    Else,
    /// The predicate failed: `policy_eval_error`.
    Error,
}

impl RuleBranch {
    /// Returns the branch's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Then => "then",
            Self::Else => "else",
            Self::Error => "error",
        }
    }
}

/// The decision of one rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyDecision<'a> {
    /// The approval gate that it requires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_gate: Option<Cow<'a, str>>,
    /// The mode that it sets, at most the declared one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<ApprovalMode>,
    /// Bounds on arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arg_constraints: Option<Cow<'a, BTreeMap<String, ArgConstraint>>>,
    /// The branch that applied.
    pub branch: RuleBranch,
    /// The rule's bundle.
    pub bundle_id: Cow<'a, str>,
    /// The capabilities that the mode and the argument bounds apply to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<Cow<'a, str>>,
    /// The decision that the rule governs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_binding: Option<Cow<'a, str>>,
    /// `policy_eval_error` and the reason, if the predicate failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'a, str>>,
    /// Capabilities that it forbids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbids: Vec<Cow<'a, str>>,
    /// Derived from the rule, the branch and the values that predicates read.
    pub policy_decision_id: Cow<'a, str>,
    /// The rule's rationale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Cow<'a, str>>,
    /// The reason, for the person concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// Evidence and obligations that it requires.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Cow<'a, str>>,
    /// The rule.
    pub rule_id: Cow<'a, str>,
    /// The verdict.
    pub verdict: RuleVerdict,
}

/// A guardrail or a gate, with the result of its predicate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerControl<'a> {
    /// True if it is active.
    pub active: bool,
    /// True if its predicate depends on the call; it is decided when a tool is called.
    #[serde(default, skip_serializing_if = "is_false")]
    pub depends_on_call: bool,
    /// The reason why the predicate failed; such a control is active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'a, str>>,
    /// Its id.
    pub id: Cow<'a, str>,
    /// The kind of control.
    pub kind: ControlKind,
    /// The fired rules that name it, for a gate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named_by: Vec<Cow<'a, str>>,
}

/// The kind of a control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlKind {
    /// An approval gate.
    ApprovalGate,
    /// A guardrail of `must_escalate`.
    MustEscalate,
    /// A guardrail of `must_refuse`.
    MustRefuse,
}

impl ControlKind {
    /// Returns the kind's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ApprovalGate => "approval_gate",
            Self::MustEscalate => "must_escalate",
            Self::MustRefuse => "must_refuse",
        }
    }
}

/// A capability of the registry, surfaced or hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerCapability<'a> {
    /// The adapter.
    pub adapter_id: Cow<'a, str>,
    /// Its block, if it is surfaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_id: Option<Cow<'a, str>>,
    /// The capability.
    pub capability: Cow<'a, str>,
    /// The mode that the registry declares, at most the adapter's.
    pub declared_mode: ApprovalMode,
    /// All checks that hid it, in order; empty if it is surfaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_by: Vec<HidingCheck<'a>>,
    /// True if it is surfaced.
    pub surfaced: bool,
}

/// A check that hid a capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HidingCheck<'a> {
    /// The check.
    pub check: ToolCheck,
    /// The permission, prohibition or rule; the run's mode for the safety check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Cow<'a, str>>,
}

/// The four checks of a capability, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolCheck {
    /// No permission exposes it, or one withholds it.
    Permission,
    /// The run prohibits it.
    Prohibition,
    /// A rule forbids it.
    Policy,
    /// Its declared mode is above the run's safety mode.
    SafetyMode,
    /// The data of the compile may be classified above what its service may receive.
    Classification,
    /// An argument is tied to a value that this request does not have.
    Arguments,
}

impl ToolCheck {
    /// Returns the check's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Prohibition => "prohibition",
            Self::Policy => "policy",
            Self::SafetyMode => "safety_mode",
            Self::Classification => "classification",
            Self::Arguments => "arguments",
        }
    }
}

/// The status of an item of evidence or memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// In the prompt.
    Kept,
    /// Admitted, and dropped because its block did not fit.
    Dropped,
    /// Not admitted.
    Rejected,
}

impl ItemStatus {
    /// Returns the status's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Dropped => "dropped",
            Self::Rejected => "rejected",
        }
    }
}

/// A piece of evidence, admitted or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerEvidence<'a> {
    /// Its block, if it was admitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_id: Option<Cow<'a, str>>,
    /// Its reference.
    pub evidence_ref: Cow<'a, str>,
    /// The hash that was supplied with it, unless it is in the manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_hash: Option<Cow<'a, str>>,
    /// All reasons against it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<EvidenceReason>,
    /// The status.
    pub status: ItemStatus,
    /// The number of times that it was supplied, if more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supplied: Option<u64>,
}

/// A reason why a piece of evidence was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceReason {
    /// The reference has none of the three valid forms.
    MalformedRef,
    /// A `kg:` reference is bound to another snapshot than the run.
    OtherSnapshot,
    /// A `kg:` reference is of a type that the pack's ontology does not have.
    UnknownEntityType,
    /// It was found in an embedding index that the pack does not use.
    UnknownEmbedding,
    /// A `session:` reference belongs to another session.
    OtherSession,
    /// No tenant is named.
    MissingTenant,
    /// It belongs to another tenant.
    OtherTenant,
    /// No classification is named.
    MissingClassification,
    /// The classification is not one of the four levels.
    UnknownClassification,
    /// The classification is above the ceiling.
    AboveClassification,
    /// It has a tag that is none of the pack's `data_tags`.
    UnlistedTag,
    /// No payload hash was supplied.
    MissingHash,
    /// The payload hash does not match the content.
    HashMismatch,
    /// It expired at or before `as_of`.
    Expired,
    /// One of its times is malformed.
    MalformedTime,
    /// The same reference came with different payloads.
    RepeatedRef,
    /// It contradicts other evidence, and no resolution decides the conflict.
    UnresolvedConflict,
    /// A resolution prefers other evidence.
    Superseded,
}

impl EvidenceReason {
    /// Returns the reason's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MalformedRef => "malformed_ref",
            Self::OtherSnapshot => "other_snapshot",
            Self::UnknownEntityType => "unknown_entity_type",
            Self::UnknownEmbedding => "unknown_embedding",
            Self::OtherSession => "other_session",
            Self::MissingTenant => "missing_tenant",
            Self::OtherTenant => "other_tenant",
            Self::MissingClassification => "missing_classification",
            Self::UnknownClassification => "unknown_classification",
            Self::AboveClassification => "above_classification",
            Self::UnlistedTag => "unlisted_tag",
            Self::MissingHash => "missing_hash",
            Self::HashMismatch => "hash_mismatch",
            Self::Expired => "expired",
            Self::MalformedTime => "malformed_time",
            Self::RepeatedRef => "repeated_ref",
            Self::UnresolvedConflict => "unresolved_conflict",
            Self::Superseded => "superseded",
        }
    }
}

/// A memory, admitted or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerMemory<'a> {
    /// Its block, if it was admitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_id: Option<Cow<'a, str>>,
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its origin; absent in documents from before it was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<MemoryOrigin>,
    /// All reasons against it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<MemoryReason>,
    /// The status.
    pub status: ItemStatus,
}

/// A reason why a memory was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryReason {
    /// It has neither a text nor a fact, or both.
    NoContent,
    /// It was never promoted.
    NotPromoted,
    /// It was promoted after `as_of`.
    PromotedLater,
    /// No tenant is named.
    MissingTenant,
    /// It belongs to another tenant.
    OtherTenant,
    /// No subject is named.
    MissingSubject,
    /// It is about another subject.
    OtherSubject,
    /// No intent is named.
    MissingIntent,
    /// It serves another intent.
    OtherIntent,
    /// No classification is named.
    MissingClassification,
    /// The classification is not one of the four levels.
    UnknownClassification,
    /// The classification is above the ceiling.
    AboveClassification,
    /// The tier is missing or unknown.
    UnknownTier,
    /// The pack gives its tier no lifetime.
    TierWithoutTtl,
    /// Its tier's lifetime has passed.
    Expired,
    /// One of its times is malformed.
    MalformedTime,
    /// The same id was supplied more than once.
    RepeatedId,
    /// No class is named.
    MissingClass,
    /// The pack does not allow its class.
    ClassNotAllowed,
    /// No source is named.
    MissingProvenance,
    /// It is about any subject, and the pack shares memory within one subject.
    AnySubject,
    /// It holds personal data, and the pack does not allow that in memory.
    PersonalDataNotAllowed,
    /// It holds personal data, and names no consent.
    MissingConsent,
    /// It was accepted by no person, and its confidence is below the pack's threshold.
    BelowConfidence,
    /// A correction outranks it.
    Corrected,
    /// Another memory states another value of the same fact, and none outranks the other.
    Contradicted,
    /// Newer memories filled the cap.
    OverCap,
}

impl MemoryReason {
    /// Returns the reason's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoContent => "no_content",
            Self::NotPromoted => "not_promoted",
            Self::PromotedLater => "promoted_later",
            Self::MissingTenant => "missing_tenant",
            Self::OtherTenant => "other_tenant",
            Self::MissingSubject => "missing_subject",
            Self::OtherSubject => "other_subject",
            Self::MissingIntent => "missing_intent",
            Self::OtherIntent => "other_intent",
            Self::MissingClassification => "missing_classification",
            Self::UnknownClassification => "unknown_classification",
            Self::AboveClassification => "above_classification",
            Self::UnknownTier => "unknown_tier",
            Self::TierWithoutTtl => "tier_without_ttl",
            Self::Expired => "expired",
            Self::MalformedTime => "malformed_time",
            Self::RepeatedId => "repeated_id",
            Self::MissingClass => "missing_class",
            Self::ClassNotAllowed => "class_not_allowed",
            Self::MissingProvenance => "missing_provenance",
            Self::AnySubject => "any_subject",
            Self::PersonalDataNotAllowed => "personal_data_not_allowed",
            Self::MissingConsent => "missing_consent",
            Self::BelowConfidence => "below_confidence",
            Self::Corrected => "corrected",
            Self::Contradicted => "contradicted",
            Self::OverCap => "over_cap",
        }
    }
}

/// The number of redactions by one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerRedaction<'a> {
    /// The number of redactions.
    pub count: u64,
    /// The rule.
    pub rule: Cow<'a, str>,
}

/// Counts of what was neutralized in text from outside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Neutralized {
    /// Bidirectional control characters.
    pub bidi: u64,
    /// Control characters.
    pub control: u64,
    /// Runs of characters that imitate a fence.
    pub fence: u64,
    /// Invisible characters.
    pub invisible: u64,
}

/// An assumption, a clamp or a skipped rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerNotice<'a> {
    /// The diagnostic code.
    pub code: Cow<'a, str>,
    /// The message.
    pub message: Cow<'a, str>,
    /// The stage.
    pub stage: Stage,
}

/// The part of the prompt that comes before anything of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StablePrefix<'a> {
    /// The blocks in it, in the order of the prompt; system and developer come before them.
    pub blocks: Vec<Cow<'a, str>>,
    /// SHA-256 over the SHA-256 of each of its parts, in order: system, developer, then the blocks.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// Its token count.
    pub tokens: u64,
}
