//! A decision that was judged.

use super::critique::Scorecard;
use crate::{RuleVerdict, SignedApproval};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A decision with everything that it rests on. The outcome is `outputs.outcome`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionRecord {
    /// Derived from all other fields but `record_hash`.
    pub record_id: String,
    /// The key of the decision's spec.
    pub decision_key: String,
    /// The version of the spec.
    pub version: String,
    /// The status that the critic's verdict gives it.
    pub status: DecisionStatus,
    /// The party that decided.
    pub actor: DecisionActor,
    /// The subjects of the decision, each `<namespace>:<id>`.
    pub subject_ids: Vec<String>,
    /// What was decided about, by the spec's schema.
    pub inputs: Map<String, Value>,
    /// What was decided, by the spec's schema; `outcome` is one of the allowed outcomes.
    pub outputs: Map<String, Value>,
    /// The evidence that the decision cites, by the references that the model was shown.
    pub evidence_refs: Vec<String>,
    /// The verdict of every rule that fired.
    pub policy_decisions: Vec<PolicyRecord>,
    /// The approvals that were given.
    pub approvals: Vec<SignedApproval>,
    /// The controls that were active.
    pub controls_active: ControlsActive,
    /// The intent of the request.
    pub intent: String,
    /// The critic's scores.
    pub scorecard: Scorecard,
    /// What the decision was made from.
    pub lineage: DecisionLineage,
    /// The trace that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// Typed hash of all other fields.
    #[schemars(with = "String")]
    pub record_hash: ContentHash,
}

/// The status of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionStatus {
    /// The critic accepted it.
    Accepted,
    /// The critic sent it back; it is never kept.
    Returned,
    /// A person must act on it.
    Escalated,
    /// The critic rejected it.
    Rejected,
}

impl DecisionStatus {
    /// Returns the status's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Returned => "returned",
            Self::Escalated => "escalated",
            Self::Rejected => "rejected",
        }
    }
}

/// The party that decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionActor {
    /// Its id.
    pub id: String,
    /// The role in which it decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Its tenant.
    pub tenant_id: String,
}

/// The verdict of a rule, as the ledger of the context has it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyRecord {
    /// The id of the policy decision.
    pub policy_decision_id: String,
    /// The rule.
    pub rule_id: String,
    /// The rule's bundle.
    pub bundle_id: String,
    /// The verdict.
    pub verdict: RuleVerdict,
}

/// The controls of the context, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlsActive {
    /// Approval gates.
    pub approval_gates_active: Vec<String>,
    /// Standing labels, guardrails and rules that demand a person.
    pub must_escalate: Vec<String>,
    /// Standing labels, guardrails and rules that refuse.
    pub must_refuse: Vec<String>,
    /// Redaction rules.
    pub redaction_rules_active: Vec<String>,
}

/// What a decision was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionLineage {
    /// The pack.
    pub pack: LineageDocument,
    /// The overlays, in order of application.
    pub overlays: Vec<LineageDocument>,
    /// The hash of the compiled context.
    #[schemars(with = "String")]
    pub context: ContentHash,
    /// The run.
    pub run: String,
    /// The step of the run's plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_step: Option<String>,
}

/// A pack or an overlay by reference and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineageDocument {
    /// `id@x.y.z`.
    pub reference: String,
    /// Typed hash of the authored document.
    #[schemars(with = "String")]
    pub hash: ContentHash,
}
