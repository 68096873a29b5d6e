//! Gate 10, skills: none is denied and pinned at once, or pinned twice.

use super::GateInput;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{SkillAutoload, SkillPriority};
use std::collections::BTreeMap;

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let policy = &input.profile.skill_policy;
    let mut findings = Vec::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, skill) in policy.pinned_skills.iter().enumerate() {
        let id = skill.skill_id.as_str();
        let place = input.file.place(&format!("/skill_policy/pinned_skills/{index}/skill_id"));
        if let Some(at) = policy.denied_skills.iter().position(|denied| denied == id) {
            let denied = input.file.place(&format!("/skill_policy/denied_skills/{at}"));
            let what = if skill.priority == SkillPriority::Required { "required" } else { "preferred" };
            let message = format!("the skill {} is denied and {what} at once", quote(id));
            findings.push(
                Diagnostic::error(codes::SKILL_DENIED_AND_PINNED, message)
                    .at(place.clone())
                    .related(denied, "denied here")
                    .help("remove one of the two; a denied skill is never bound"),
            );
        }
        if let Some(first) = seen.insert(id, index) {
            let first = input.file.place(&format!("/skill_policy/pinned_skills/{first}/skill_id"));
            findings.push(
                Diagnostic::error(codes::SKILL_DENIED_AND_PINNED, format!("the skill {} is pinned twice", quote(id)))
                    .at(place.clone())
                    .related(first, "pinned here")
                    .help("keep one entry with the scope `both`"),
            );
        }
        if policy.autoload_mode == SkillAutoload::DiscoveryOnly {
            let message = format!("the pinned skill {} is ignored under `discovery_only`", quote(id));
            findings.push(
                Diagnostic::warning(codes::SKILL_DENIED_AND_PINNED, message)
                    .at(place)
                    .help("use `profile_plus_discovery`, or unpin it"),
            );
        }
    }
    findings
}
