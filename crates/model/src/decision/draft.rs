//! A decision as it is drafted: by a model, a program or a person.

use super::record::{ControlsActive, DecisionActor, LineageDocument, PolicyRecord};
use crate::SignedApproval;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A decision before the critic judged it. What the compiled context decided may be left out and is then taken from
/// there; where it is stated, it must agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionDraft {
    /// The key of the decision's spec.
    pub decision_key: String,
    /// The version of the spec.
    pub version: String,
    /// The party that decided.
    pub actor: DecisionActor,
    /// The subjects of the decision, each `<namespace>:<id>`.
    pub subject_ids: Vec<String>,
    /// What is decided about, by the spec's schema.
    pub inputs: Map<String, Value>,
    /// What is decided, by the spec's schema; `outcome` is one of the allowed outcomes.
    pub outputs: Map<String, Value>,
    /// The evidence that the decision cites, by the references that the model was shown.
    pub evidence_refs: Vec<String>,
    /// The approvals that were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<SignedApproval>,
    /// The verdict of every rule that fired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_decisions: Option<Vec<PolicyRecord>>,
    /// The controls that were active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controls_active: Option<ControlsActive>,
    /// The intent of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// What the decision was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<DraftLineage>,
    /// The trace that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}

/// What a draft says that it was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftLineage {
    /// The pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<LineageDocument>,
    /// The overlays, in order of application.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlays: Option<Vec<LineageDocument>>,
    /// The hash of the compiled context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub context: Option<ContentHash>,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The step of the run's plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_step: Option<String>,
}
