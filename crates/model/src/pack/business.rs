//! Business summary and what is never negotiable.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Durable business constraints; kept short, since they compete for the business budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BusinessContext {
    /// What the business does and for whom.
    pub summary: BusinessSummary,
    /// Short constraints that always hold.
    #[serde(default)]
    pub non_negotiables: Vec<String>,
}

/// What the business does and for whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BusinessSummary {
    /// One sentence.
    #[schemars(length(min = 1))]
    pub what_we_do: String,
    /// The people served.
    #[serde(default)]
    pub who_we_serve: Vec<String>,
    /// What sets the service apart.
    #[serde(default)]
    pub differentiators: Vec<String>,
}
