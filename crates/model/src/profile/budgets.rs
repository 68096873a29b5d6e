//! Budgets and timeouts of a profile.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The amounts that a run may spend. Together with a plan and a grant, the smallest amount binds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProfileBudgets {
    /// The maximum number of steps of a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000))]
    pub max_steps: Option<u64>,
    /// The maximum number of steps in flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub window_size: Option<u64>,
    /// The time limits.
    #[serde(default, skip_serializing_if = "ProfileTimeouts::is_empty")]
    pub timeouts: ProfileTimeouts,
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

/// The seven timeouts, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProfileTimeouts {
    /// The planning of a run as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000_000_u64))]
    pub planning_ms: Option<u64>,
    /// Each call of the intent resolver and of the skill resolver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000_000_u64))]
    pub resolution_ms: Option<u64>,
    /// Each model call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000_000_u64))]
    pub model_call_ms: Option<u64>,
    /// Each tool call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000_000_u64))]
    pub tool_call_ms: Option<u64>,
    /// The wall-clock time of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000_000_u64))]
    pub step_wall_ms: Option<u64>,
    /// The time that an approval request stays open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000_000_u64))]
    pub approval_ms: Option<u64>,
    /// The wall-clock time of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000_000_u64))]
    pub run_wall_ms: Option<u64>,
}

impl ProfileTimeouts {
    /// Returns true if no timeout is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the timeouts by name.
    pub fn parts(&self) -> [(&'static str, Option<u64>); 7] {
        [
            ("planning_ms", self.planning_ms),
            ("resolution_ms", self.resolution_ms),
            ("model_call_ms", self.model_call_ms),
            ("tool_call_ms", self.tool_call_ms),
            ("step_wall_ms", self.step_wall_ms),
            ("approval_ms", self.approval_ms),
            ("run_wall_ms", self.run_wall_ms),
        ]
    }
}
