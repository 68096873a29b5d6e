//! Limits that settings, a workspace or a step put on the power of a profile.

use crate::execution::EgressRule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on the power of a profile. What is left out limits nothing; nothing here grants anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PowerLimits {
    /// The only egress that remains allowed; an empty list allows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egress: Option<Vec<EgressRule>>,
    /// The only skills that remain allowed; an empty list allows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_skills: Option<Vec<String>>,
    /// Skills that are denied in addition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied_skills: Vec<String>,
    /// The maximum number of steps of a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100_000))]
    pub max_steps: Option<u64>,
    /// Money, in millionths of the currency of prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub money_micros: Option<u64>,
    /// Tokens of model calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub model_tokens: Option<u64>,
    /// Governed tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub tool_calls: Option<u64>,
}
