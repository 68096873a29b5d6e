//! Settings below a profile: those that are governed for all, and those of a workspace.

use super::binding::ConsumerBinding;
use super::budgets::ProfileTimeouts;
use super::limits::PowerLimits;
use super::reasoning::ReasoningSwitches;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings of all runs, or of the runs of a workspace. A profile has the last word on values; limits only narrow it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ModelSettings {
    /// The defaults of every consumer.
    #[serde(default)]
    pub defaults: ConsumerBinding,
    /// The settings of single consumers, by their keys.
    #[serde(default)]
    pub consumers: BTreeMap<String, ConsumerBinding>,
    /// The time limits.
    #[serde(default)]
    pub timeouts: ProfileTimeouts,
    /// The maximum number of steps in flight.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    pub window_size: Option<u64>,
    /// Master switches of reasoning.
    #[serde(default)]
    pub reasoning: ReasoningSwitches,
    /// Limits on the power of every profile.
    #[serde(default)]
    pub limits: PowerLimits,
}
