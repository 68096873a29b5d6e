//! What was decided on the way, and a hash for each stage.

use super::block::Bucket;
use super::stage::Stage;
use crate::{ApprovalMode, ArgConstraint};
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
    /// The budget in short.
    pub budget: LedgerBudget,
    /// Typed hash over the hashes of the stages, which cover every other field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub compiled_context_hash: Option<ContentHash>,
    /// Every guardrail and gate that has a predicate, with what came of it.
    pub controls: Vec<LedgerControl<'a>>,
    /// Every piece of evidence that was supplied, in or out.
    pub evidence: Vec<LedgerEvidence<'a>>,
    /// The intent.
    pub intent: LedgerIntent<'a>,
    /// Every memory that was supplied, in or out.
    pub memory: Vec<LedgerMemory<'a>>,
    /// What was made harmless in text from outside.
    pub neutralized: Neutralized,
    /// What was assumed, clamped or skipped.
    pub notices: Vec<LedgerNotice<'a>>,
    /// The overlays that were applied, in order.
    pub overlays: Vec<LedgerPack<'a>>,
    /// The pack.
    pub pack: LedgerPack<'a>,
    /// Every rule that fired or failed.
    pub policy_decisions: Vec<PolicyDecision<'a>>,
    /// What was redacted, by rule; never the values.
    pub redactions: Vec<LedgerRedaction<'a>>,
    /// The request.
    pub request: LedgerRequest<'a>,
    /// Typed hash of the pack after its overlays.
    #[schemars(with = "String")]
    pub resolved_pack_hash: ContentHash,
    /// The run.
    pub run: LedgerRun<'a>,
    /// The part of the prompt that does not change from request to request, for provider caches.
    pub stable_prefix: StablePrefix<'a>,
    /// A hash for each stage, in order.
    pub stage_hashes: Vec<StageHash>,
    /// What counted the tokens.
    pub tokenizer: LedgerTokenizer<'a>,
    /// Every capability of the registry, in or out.
    pub tools: Vec<LedgerCapability<'a>>,
}

/// The budget in short.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerBudget {
    /// Tokens of system, developer and task.
    pub head: u64,
    /// Head and buckets together.
    pub total: u64,
    /// Buckets that lost a block.
    pub truncated: Vec<Bucket>,
    /// Tokens that the blocks take.
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
    /// Its class, where the pack has a catalogue.
    pub class: Option<Cow<'a, str>>,
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its task, where the pack has a catalogue.
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
    /// Its ceiling.
    pub safety_mode: ApprovalMode,
    /// Whose it is.
    pub tenant_id: Cow<'a, str>,
}

/// What counted the tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerTokenizer<'a> {
    /// False for an estimate.
    pub exact: bool,
    /// Which one, such as `o200k_base`.
    pub id: Cow<'a, str>,
}

/// The hash of one stage: over the hash of what it read, and what it decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageHash {
    /// The hash.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// The hash of what it read.
    #[schemars(with = "String")]
    pub reads: ContentHash,
    /// The stage.
    pub stage: Stage,
}

/// How strongly a rule spoke; the strictest wins.
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
    /// The verdict as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Require => "require",
            Self::Deny => "deny",
        }
    }
}

/// Which part of a rule spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleBranch {
    /// Its predicate held.
    Then,
    /// Its predicate did not hold, and it has an `else`.
    Else,
    /// Its predicate failed: `policy_eval_error`.
    Error,
}

impl RuleBranch {
    /// The branch as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Then => "then",
            Self::Else => "else",
            Self::Error => "error",
        }
    }
}

/// What one rule decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyDecision<'a> {
    /// The gate that it demands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_gate: Option<Cow<'a, str>>,
    /// The mode that it sets, at most the declared one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<ApprovalMode>,
    /// Bounds on arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arg_constraints: Option<Cow<'a, BTreeMap<String, ArgConstraint>>>,
    /// Which part of the rule spoke.
    pub branch: RuleBranch,
    /// The rule's bundle.
    pub bundle_id: Cow<'a, str>,
    /// Whose mode and arguments are meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<Cow<'a, str>>,
    /// The decision that the rule governs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_binding: Option<Cow<'a, str>>,
    /// `policy_eval_error` and why, where the predicate failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'a, str>>,
    /// Capabilities that it takes away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbids: Vec<Cow<'a, str>>,
    /// Derived from the rule, the part that spoke and what predicates read.
    pub policy_decision_id: Cow<'a, str>,
    /// Why, in words for the person concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// What it demands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Cow<'a, str>>,
    /// The rule.
    pub rule_id: Cow<'a, str>,
    /// How strongly it spoke.
    pub verdict: RuleVerdict,
}

/// A guardrail or a gate, and what came of its predicate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerControl<'a> {
    /// Whether it is active.
    pub active: bool,
    /// Why the predicate failed, where it did; then the control is active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'a, str>>,
    /// Its id.
    pub id: Cow<'a, str>,
    /// What it is.
    pub kind: ControlKind,
    /// The fired rules that name it, for a gate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named_by: Vec<Cow<'a, str>>,
}

/// What kind of control.
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
    /// The kind as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ApprovalGate => "approval_gate",
            Self::MustEscalate => "must_escalate",
            Self::MustRefuse => "must_refuse",
        }
    }
}

/// A capability of the registry, in or out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerCapability<'a> {
    /// Which adapter.
    pub adapter_id: Cow<'a, str>,
    /// Its block, where it is surfaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_id: Option<Cow<'a, str>>,
    /// Which capability.
    pub capability: Cow<'a, str>,
    /// The mode that the registry declares, at most the adapter's.
    pub declared_mode: ApprovalMode,
    /// All checks that hid it, in order; none where it is surfaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_by: Vec<HiddenBy<'a>>,
    /// In or out.
    pub surfaced: bool,
}

/// A check that hid a capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HiddenBy<'a> {
    /// Which check.
    pub check: ToolCheck,
    /// Which permission, prohibition or rule; the run's mode for the safety check.
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
}

impl ToolCheck {
    /// The check as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Prohibition => "prohibition",
            Self::Policy => "policy",
            Self::SafetyMode => "safety_mode",
        }
    }
}

/// In or out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// In the prompt.
    Kept,
    /// Admitted, and its block found no room.
    Dropped,
    /// Not admitted.
    Rejected,
}

impl ItemStatus {
    /// The status as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Dropped => "dropped",
            Self::Rejected => "rejected",
        }
    }
}

/// A piece of evidence, in or out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerEvidence<'a> {
    /// Its block, where it was admitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_id: Option<Cow<'a, str>>,
    /// Its reference.
    pub evidence_ref: Cow<'a, str>,
    /// The hash that came with it, where it is not in the manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_hash: Option<Cow<'a, str>>,
    /// All reasons against it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<EvidenceReason>,
    /// In or out.
    pub status: ItemStatus,
    /// How often it was supplied, where more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supplied: Option<u64>,
}

/// Why a piece of evidence was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceReason {
    /// The reference has none of the three forms.
    MalformedRef,
    /// A `kg:` reference is bound to another snapshot than the run.
    OtherSnapshot,
    /// A `session:` reference belongs to another session.
    OtherSession,
    /// No tenant is named.
    MissingTenant,
    /// It belongs to another tenant.
    OtherTenant,
    /// No classification is named.
    MissingClassification,
    /// The classification is none of the four levels.
    UnknownClassification,
    /// The classification is above the ceiling.
    AboveClassification,
    /// No payload hash came with it.
    MissingHash,
    /// The payload hash is not that of the content.
    HashMismatch,
    /// It expired at or before `as_of`.
    Expired,
    /// A time in it cannot be read.
    MalformedTime,
    /// The same reference came with different payloads.
    RepeatedRef,
    /// It contradicts other evidence and nothing resolves that.
    UnresolvedConflict,
    /// A resolution prefers other evidence.
    Superseded,
}

impl EvidenceReason {
    /// The reason as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MalformedRef => "malformed_ref",
            Self::OtherSnapshot => "other_snapshot",
            Self::OtherSession => "other_session",
            Self::MissingTenant => "missing_tenant",
            Self::OtherTenant => "other_tenant",
            Self::MissingClassification => "missing_classification",
            Self::UnknownClassification => "unknown_classification",
            Self::AboveClassification => "above_classification",
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

/// A memory, in or out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerMemory<'a> {
    /// Its block, where it was admitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_id: Option<Cow<'a, str>>,
    /// Its id.
    pub id: Cow<'a, str>,
    /// All reasons against it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<MemoryReason>,
    /// In or out.
    pub status: ItemStatus,
}

/// Why a memory was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryReason {
    /// It has neither a text nor a fact, or both.
    NoContent,
    /// Nobody promoted it.
    NotPromoted,
    /// It was promoted after `as_of`.
    PromotedLater,
    /// No tenant is named.
    MissingTenant,
    /// It belongs to another tenant.
    OtherTenant,
    /// No subject is named.
    MissingSubject,
    /// It is about somebody else.
    OtherSubject,
    /// No intent is named.
    MissingIntent,
    /// It serves another intent.
    OtherIntent,
    /// No classification is named.
    MissingClassification,
    /// The classification is none of the four levels.
    UnknownClassification,
    /// The classification is above the ceiling.
    AboveClassification,
    /// The tier is missing, or none of the four.
    UnknownTier,
    /// The pack gives its tier no lifetime.
    TierWithoutTtl,
    /// Its tier's lifetime is over.
    Expired,
    /// A time in it cannot be read.
    MalformedTime,
    /// The same id came more than once.
    RepeatedId,
    /// Newer memories filled the cap.
    OverCap,
}

impl MemoryReason {
    /// The reason as it is written.
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
            Self::OverCap => "over_cap",
        }
    }
}

/// How often a redaction rule hid something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerRedaction<'a> {
    /// How often.
    pub count: u64,
    /// Which rule.
    pub rule: Cow<'a, str>,
}

/// What was made harmless in text from outside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Neutralized {
    /// Controls that reorder text.
    pub bidi: u64,
    /// Control characters.
    pub control: u64,
    /// Runs that imitate a fence.
    pub fence: u64,
    /// Characters that cannot be seen.
    pub invisible: u64,
}

/// Something that was assumed, clamped or skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerNotice<'a> {
    /// Code with a page of its own.
    pub code: Cow<'a, str>,
    /// What.
    pub message: Cow<'a, str>,
    /// Which stage.
    pub stage: Stage,
}

/// The part of the prompt that stands before anything of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StablePrefix<'a> {
    /// The blocks in it, in the order of the prompt; system and developer stand before them.
    pub blocks: Vec<Cow<'a, str>>,
    /// SHA-256 over the SHA-256 of each of its parts, in order: system, developer, then the blocks.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// What it counts.
    pub tokens: u64,
}
