//! The business context: summary and non-negotiable constraints.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Durable business constraints; kept short, since they compete for the business budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BusinessContext {
    /// The business summary.
    pub summary: BusinessSummary,
    /// Short constraints that always hold.
    #[serde(default)]
    pub non_negotiables: Vec<String>,
}

/// The business summary: what the business does and for whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BusinessSummary {
    /// One sentence.
    #[schemars(length(min = 1))]
    pub what_we_do: String,
    /// The customers.
    #[serde(default)]
    pub who_we_serve: Vec<String>,
    /// What sets the service apart.
    #[serde(default)]
    pub differentiators: Vec<String>,
}
