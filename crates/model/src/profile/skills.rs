//! The skills of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skills that a run has to use, may use, and may not use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SkillPolicy {
    /// Skills that are bound without discovery.
    #[serde(default)]
    pub pinned_skills: Vec<PinnedSkill>,
    /// Skills that are never bound, even if discovery suggests them.
    #[serde(default)]
    pub denied_skills: Vec<String>,
    /// The use of pinned skills and of discovery.
    #[serde(default)]
    pub autoload_mode: SkillAutoload,
}

/// A skill that is bound without discovery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PinnedSkill {
    /// The skill.
    #[schemars(length(min = 1, max = 200))]
    pub skill_id: String,
    /// The consequence of a skill that does not resolve.
    #[serde(default)]
    pub priority: SkillPriority,
    /// The models that may read it.
    #[serde(default)]
    pub scope: SkillScope,
}

/// The consequence of a skill that does not resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkillPriority {
    /// The run continues without it.
    #[default]
    Preferred,
    /// The run fails.
    Required,
}

/// The models that may read a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkillScope {
    /// The planner.
    Planner,
    /// The executor.
    Executor,
    /// Both.
    #[default]
    Both,
}

/// The use of pinned skills and of discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkillAutoload {
    /// Pinned skills, and those that discovery finds.
    #[default]
    ProfilePlusDiscovery,
    /// Pinned skills alone.
    ProfileOnly,
    /// Those that discovery finds alone.
    DiscoveryOnly,
}
