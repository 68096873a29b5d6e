//! The decisions that a run may emit, and whether their evidence is sufficient.

use crate::{ApprovalMode, InsufficientEvidence, OutcomeEffect};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A decision that the request may lead to, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionManifest<'a> {
    /// The allowed outcomes.
    pub allowed_outcomes: Vec<Cow<'a, str>>,
    /// The approval mode.
    pub approval_mode: ApprovalMode,
    /// The key.
    pub decision_key: Cow<'a, str>,
    /// The authority that the decision carries.
    pub decision_right: Cow<'a, str>,
    /// Schema of its inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs_schema_ref: Option<Cow<'a, str>>,
    /// The effect of missing evidence.
    pub on_insufficient_evidence: InsufficientEvidence,
    /// The effect of each outcome; one that is not listed counts as `act`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outcome_effects: BTreeMap<Cow<'a, str>, OutcomeEffect>,
    /// Schema of its outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs_schema_ref: Option<Cow<'a, str>>,
    /// The owner.
    pub owner_role: Cow<'a, str>,
    /// The evidence that it requires, in the pack's order.
    pub required_evidence: Vec<EvidenceRequirement<'a>>,
    /// True if all of its evidence is met.
    pub sufficient: bool,
    /// Version of the spec.
    pub version: Cow<'a, str>,
}

/// An obligation of a rule that fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Obligation<'a> {
    /// The required evidence.
    pub requirement: EvidenceRequirement<'a>,
    /// The rule.
    pub rule_id: Cow<'a, str>,
}

/// Evidence that is required by name, and its status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRequirement<'a> {
    /// The name.
    pub name: Cow<'a, str>,
    /// The references that meet it, or that would: admitted, expired, rejected or dropped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<Cow<'a, str>>,
    /// The status.
    pub status: EvidenceStatus,
}

/// The status of required evidence; the best of all its sources counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceStatus {
    /// It is there, and can be cited.
    Met,
    /// It was admitted and did not fit into the budget.
    Dropped,
    /// It was supplied and has expired.
    Stale,
    /// It was supplied and rejected.
    Rejected,
    /// It was not supplied.
    Missing,
}

impl EvidenceStatus {
    /// Returns the status's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Dropped => "dropped",
            Self::Stale => "stale",
            Self::Rejected => "rejected",
            Self::Missing => "missing",
        }
    }
}
