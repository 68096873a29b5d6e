//! The power of a run: what it may reach, use and spend.

use crate::execution::EgressRule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The power of a run after every level narrowed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfilePower {
    /// The egress rules. What no rule allows is denied.
    pub egress: Vec<EgressRule>,
    /// The only skills that may be used; none if discovery may suggest others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_skills: Option<BTreeSet<String>>,
    /// The skills that may not be used.
    pub denied_skills: BTreeSet<String>,
    /// The maximum number of steps of a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
    /// Money, in millionths of the currency of prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money_micros: Option<u64>,
    /// Tokens of model calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_tokens: Option<u64>,
    /// Governed tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u64>,
}

impl ProfilePower {
    /// Returns true if a skill may be used.
    pub fn allows_skill(&self, skill_id: &str) -> bool {
        !self.denied_skills.contains(skill_id)
            && self.allowed_skills.as_ref().is_none_or(|allowed| allowed.contains(skill_id))
    }
}
