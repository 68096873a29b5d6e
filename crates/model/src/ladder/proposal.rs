//! Fixes that a model, or a person, proposes: data that the ladder judges.

use super::contract::RuleWeight;
use super::patch::PatchOp;
use super::rung::Rung;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Proposals for one payload.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposals {
    /// Each is judged on its own, in this order.
    pub proposals: Vec<Proposal>,
}

/// Something that is wrong, without a value to put in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposedFinding {
    /// The place in the payload; empty for the payload as a whole.
    pub at: String,
    /// What is wrong, in words.
    pub message: String,
    /// Whether it refuses the payload while L6 is in mode `block`.
    #[serde(default)]
    pub severity: RuleWeight,
}

/// One proposed fix, or one finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// Its name in reports.
    pub id: String,
    /// The rung it is for: `L2` or `L6`.
    pub rung: Rung,
    /// Value changes alone: `replace`, and `test` to hold them to what was seen. None for a finding.
    #[serde(default)]
    pub patch: Vec<PatchOp>,
    /// What is wrong where nothing can be proposed in its place; L6 alone, and without a patch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<ProposedFinding>,
    /// How sure the proposer is, in thousandths.
    #[serde(default = "sure")]
    pub confidence: u16,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// Set in a record where the guard found something in it: what it was is not kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub concealed: bool,
}

fn sure() -> u16 {
    1000
}
