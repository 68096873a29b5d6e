//! Power: egress, skills and amounts. Every level after the profile can narrow it, and none can widen it.
//!
//! Enters: a power and the limits of a level. Leaves: the smaller power, what each limit decided, and a finding for
//! every limit that reaches beyond the power. Must prove: whatever the result allows, the power and the limits allow.

use deed_diag::{Diagnostic, codes, quote};
use deed_model::{EgressRule, ExecutionProfile, PowerLimits, ProfilePower, SkillAutoload};
use deed_reach::covers;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// A level that limits power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NarrowingLevel {
    /// The profile itself.
    Profile,
    /// The governed settings of all runs.
    GovernedSettings,
    /// The settings of the workspace.
    Workspace,
    /// A step.
    Step,
}

/// A power after a level narrowed it.
#[derive(Debug, Clone, PartialEq)]
pub struct Narrowed {
    /// The power that remains.
    pub power: ProfilePower,
    /// The names of the parts that the level made smaller.
    pub smaller: Vec<&'static str>,
    /// Warnings about limits that reach beyond the power.
    pub findings: Vec<Diagnostic>,
}

/// Returns the power that a profile grants.
pub(crate) fn power_of(profile: &ExecutionProfile) -> ProfilePower {
    let policy = &profile.skill_policy;
    let pinned = || policy.pinned_skills.iter().map(|skill| skill.skill_id.clone()).collect();
    ProfilePower {
        egress: profile.egress.clone(),
        allowed_skills: match policy.autoload_mode {
            SkillAutoload::ProfileOnly => Some(pinned()),
            SkillAutoload::ProfilePlusDiscovery | SkillAutoload::DiscoveryOnly => None,
        },
        denied_skills: policy.denied_skills.iter().cloned().collect(),
        max_steps: profile.budgets.max_steps,
        money_micros: profile.budgets.money_micros,
        model_tokens: profile.budgets.model_tokens,
        tool_calls: profile.budgets.tool_calls,
    }
}

/// Narrows a power by the limits of a level.
///
/// ```
/// use deed_model::{PowerLimits, ProfilePower};
/// use deed_profile::{NarrowingLevel, narrow};
///
/// let power = ProfilePower { tool_calls: Some(10), ..ProfilePower::default() };
/// let limits = PowerLimits { tool_calls: Some(50), ..PowerLimits::default() };
/// let narrowed = narrow(&power, &limits, NarrowingLevel::Workspace);
/// assert_eq!(narrowed.power.tool_calls, Some(10));
/// assert_eq!(narrowed.findings.len(), 1);
/// ```
pub fn narrow(power: &ProfilePower, limits: &PowerLimits, level: NarrowingLevel) -> Narrowed {
    let mut findings = Vec::new();
    let mut power = power.clone();
    let before = power.clone();
    if let Some(rules) = &limits.egress {
        power.egress = meet_egress(&power.egress, rules, level, &mut findings);
    }
    if let Some(skills) = &limits.allowed_skills {
        power.allowed_skills = Some(meet_skills(&before, skills, level, &mut findings));
    }
    power.denied_skills.extend(limits.denied_skills.iter().cloned());
    for (name, own, limit) in [
        ("max_steps", &mut power.max_steps, limits.max_steps),
        ("money_micros", &mut power.money_micros, limits.money_micros),
        ("model_tokens", &mut power.model_tokens, limits.model_tokens),
        ("tool_calls", &mut power.tool_calls, limits.tool_calls),
    ] {
        if let (Some(own), Some(limit)) = (*own, limit)
            && limit > own
        {
            findings.push(wider(level, name, format!("`{name}` {limit} is more than the {own} that remain")));
        }
        *own = least(*own, limit);
    }
    Narrowed { smaller: differing(&before, &power), power, findings }
}

/// Keeps the rules of either side that the other side covers.
fn meet_egress(
    own: &[EgressRule],
    limit: &[EgressRule],
    level: NarrowingLevel,
    findings: &mut Vec<Diagnostic>,
) -> Vec<EgressRule> {
    for rule in limit.iter().filter(|rule| !own.iter().any(|wide| covers(wide, rule))) {
        let name = rule.endpoint.as_deref().unwrap_or(&rule.host);
        findings.push(wider(
            level,
            "egress",
            format!("the egress rule for {} allows more than the profile", quote(name)),
        ));
    }
    let own_kept = own.iter().filter(|rule| limit.iter().any(|wide| covers(wide, rule)));
    let limit_kept = limit.iter().filter(|rule| own.iter().any(|wide| covers(wide, rule)));
    let mut kept: Vec<EgressRule> = Vec::new();
    for rule in own_kept.chain(limit_kept) {
        if !kept.contains(rule) {
            kept.push(rule.clone());
        }
    }
    kept
}

fn meet_skills(
    power: &ProfilePower,
    allowed: &[String],
    level: NarrowingLevel,
    findings: &mut Vec<Diagnostic>,
) -> BTreeSet<String> {
    let mut kept = BTreeSet::new();
    for skill in allowed {
        match power.allows_skill(skill) {
            true => drop(kept.insert(skill.clone())),
            false => findings.push(wider(
                level,
                "allowed_skills",
                format!("the skill {} is not allowed by the profile", quote(skill)),
            )),
        }
    }
    kept
}

/// The smaller of two amounts; an amount that is not set limits nothing.
fn least(own: Option<u64>, limit: Option<u64>) -> Option<u64> {
    match (own, limit) {
        (Some(own), Some(limit)) => Some(own.min(limit)),
        (own, limit) => own.or(limit),
    }
}

fn wider(level: NarrowingLevel, part: &str, message: String) -> Diagnostic {
    Diagnostic::warning(codes::LIMIT_BEYOND_POWER, message)
        .stage("profile")
        .help(format!("a limit of {} only narrows; `{part}` has to be granted by the profile", level.words()))
}

/// Returns the names of the parts that differ.
fn differing(before: &ProfilePower, after: &ProfilePower) -> Vec<&'static str> {
    let parts = [
        ("egress", before.egress != after.egress),
        ("allowed_skills", before.allowed_skills != after.allowed_skills),
        ("denied_skills", before.denied_skills != after.denied_skills),
        ("max_steps", before.max_steps != after.max_steps),
        ("money_micros", before.money_micros != after.money_micros),
        ("model_tokens", before.model_tokens != after.model_tokens),
        ("tool_calls", before.tool_calls != after.tool_calls),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

impl NarrowingLevel {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::GovernedSettings => "governed_settings",
            Self::Workspace => "workspace",
            Self::Step => "step",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Profile => "the profile",
            Self::GovernedSettings => "the governed settings",
            Self::Workspace => "the workspace",
            Self::Step => "a step",
        }
    }
}
