//! Fixes that a model or a person proposes, for the ladder to judge.

use super::contract::RuleWeight;
use super::patch::PatchOp;
use super::rung::Rung;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Proposals for one payload.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposals {
    /// The proposals; each is judged separately, in this order.
    pub proposals: Vec<Proposal>,
}

/// A finding without a value to put in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposedFinding {
    /// The place in the payload; empty for the whole payload.
    pub at: String,
    /// The message.
    pub message: String,
    /// True if it refuses the payload while L6 is in mode `block`.
    #[serde(default)]
    pub severity: RuleWeight,
}

/// One proposed fix, or one finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// Its id in reports.
    pub id: String,
    /// The rung that judges it: `L2` or `L6`.
    pub rung: Rung,
    /// Value changes only: `replace`, and `test` to check the expected value. Empty for a finding.
    #[serde(default)]
    pub patch: Vec<PatchOp>,
    /// A finding for which no value can be proposed; L6 only, and without a patch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<ProposedFinding>,
    /// The proposer's confidence, in thousandths.
    #[serde(default = "sure")]
    pub confidence: u16,
    /// The rationale.
    #[serde(default)]
    pub reason: String,
    /// Set in a report if the guard found something in the proposal, which is then not stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub concealed: bool,
}

fn sure() -> u16 {
    1000
}
