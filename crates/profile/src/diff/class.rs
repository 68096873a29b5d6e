//! The class of a change.

use deed_model::{EgressRule, ExecutionProfile, SkillAutoload, ValidationMode};
use deed_reach::covers;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// The version bump that a change of a profile needs, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileChangeClass {
    /// Wording for people.
    Patch,
    /// Other behaviour within the same power: models, prompts, parameters, stricter limits.
    Minor,
    /// More power, or fewer checks.
    Major,
}

impl ProfileChangeClass {
    /// Returns the class's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

impl fmt::Display for ProfileChangeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns the class of a change of a field, with its reason. What is not shown to be narrower is major.
pub(super) fn class_of(
    pointer: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    old: &ExecutionProfile,
    new: &ExecutionProfile,
) -> (ProfileChangeClass, &'static str) {
    use ProfileChangeClass::{Major, Minor, Patch};
    let narrower = |is: bool, more: &'static str, less: &'static str| if is { (Minor, less) } else { (Major, more) };
    match pointer {
        "/summary" => (Patch, "wording for people"),
        "/issuer" => (Major, "another issuer answers for it"),
        "/context_pack_ref" => (Major, "another pack governs what models see and do"),
        "/egress" => narrower(no_wider(&old.egress, &new.egress), "more can be reached", "less can be reached"),
        "/skill_policy/denied_skills" => {
            let denied = &new.skill_policy.denied_skills;
            let kept = old.skill_policy.denied_skills.iter().all(|skill| denied.contains(skill));
            narrower(kept, "a denied skill is allowed", "more skills are denied")
        }
        "/skill_policy/autoload_mode" => {
            let only = new.skill_policy.autoload_mode == SkillAutoload::ProfileOnly;
            narrower(only, "discovery may suggest other skills", "only pinned skills remain")
        }
        "/skill_policy/pinned_skills" if new.skill_policy.autoload_mode == SkillAutoload::ProfileOnly => {
            let pinned = |profile: &ExecutionProfile, id: &str| {
                profile.skill_policy.pinned_skills.iter().any(|skill| skill.skill_id == id)
            };
            let kept = new.skill_policy.pinned_skills.iter().all(|skill| pinned(old, &skill.skill_id));
            narrower(kept, "a skill is added to the only ones", "no skill is added")
        }
        "/budgets/max_steps" | "/budgets/money_micros" | "/budgets/model_tokens" | "/budgets/tool_calls" => {
            let amount = |value: Option<&Value>| value.and_then(Value::as_u64).unwrap_or(u64::MAX);
            narrower(amount(after) <= amount(before), "a budget is raised", "a budget is lowered")
        }
        _ if pointer.starts_with("/validation/packs") => (Major, "a phase may check by other rules"),
        _ if pointer.starts_with("/validation/") => validation(pointer, old, new),
        _ if pointer.starts_with("/prompts") || pointer == "/planning_guidance" => (Minor, "a model reads other text"),
        _ => (Minor, "other behaviour within the same power"),
    }
}

/// Returns true if everything that the new rules allow, the old ones allow.
fn no_wider(old: &[EgressRule], new: &[EgressRule]) -> bool {
    new.iter().all(|rule| old.iter().any(|wide| covers(wide, rule)))
}

/// The class of a change of a phase, by its mode.
fn validation(pointer: &str, old: &ExecutionProfile, new: &ExecutionProfile) -> (ProfileChangeClass, &'static str) {
    let name = pointer.split('/').nth(3).unwrap_or_default();
    let mode = |profile: &ExecutionProfile| {
        let found = profile.validation.phases.parts().into_iter().find(|(phase, _)| *phase == name);
        found.and_then(|(_, phase)| phase).map_or(ValidationMode::Off, |phase| phase.mode)
    };
    match (mode(old), mode(new), pointer.ends_with("/mode")) {
        (before, after, _) if after < before => (ProfileChangeClass::Major, "a phase checks less"),
        (_, _, true) => (ProfileChangeClass::Minor, "a phase checks more"),
        (ValidationMode::Off, _, false) => (ProfileChangeClass::Minor, "a phase checks more"),
        (_, _, false) => (ProfileChangeClass::Major, "a phase checks by other packs"),
    }
}
