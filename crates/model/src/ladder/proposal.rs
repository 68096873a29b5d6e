//! Fixes that a model, or a person, proposes: data that the ladder judges.

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

/// One proposed fix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// Its name in reports.
    pub id: String,
    /// The rung it is for: `L2` or `L6`.
    pub rung: Rung,
    /// Value changes alone: `replace`, and `test` to hold them to what was seen.
    pub patch: Vec<PatchOp>,
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
