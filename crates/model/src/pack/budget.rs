//! The budget layer: how a run's tokens are allocated.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::collections::BTreeMap;

/// Totals and splits; defaults apply to everything that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BudgetLayer {
    /// Total tokens if the run names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub default_total: Option<u64>,
    /// Splits by intent.
    #[serde(default)]
    pub splits: BTreeMap<String, BudgetSplit>,
}

/// Shares by bucket, as exact decimals that sum to 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BudgetSplit {
    /// Business summary and non-negotiables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business: Option<Number>,
    /// Fired rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Number>,
    /// Surfaced tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<Number>,
    /// Admitted evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Number>,
    /// Recalled memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Number>,
    /// Recent turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Number>,
}

impl BudgetSplit {
    /// Returns the shares that are set, in bucket order.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &Number)> {
        [
            ("business", &self.business),
            ("policy", &self.policy),
            ("tool", &self.tool),
            ("evidence", &self.evidence),
            ("memory", &self.memory),
            ("session", &self.session),
        ]
        .into_iter()
        .filter_map(|(name, part)| part.as_ref().map(|n| (name, n)))
    }
}
