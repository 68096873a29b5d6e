//! Names and texts of steps: unique, well formed, and none of them empty.

use super::is_name;
use crate::lower::cx::{Cx, Step, StepIndex};
use crate::lower::findings::{At, Finding, Findings};
use deed_diag::{codes, quote};
use deed_model::ResolutionStatus;
use std::collections::HashMap;

/// Checks the names and texts of all steps, and returns the steps by name.
pub(super) fn check<'l>(cx: Cx<'l>, findings: &mut Findings<'_>) -> HashMap<&'l str, StepIndex> {
    let mut by_id: HashMap<&str, StepIndex> = HashMap::with_capacity(cx.plan.steps.len());
    for step in cx.steps() {
        name(step, findings);
        match by_id.get(step.id()).copied() {
            Some(first) => {
                let finding =
                    Finding::error(step.at().key("id"), codes::DUPLICATE_PLAN_NAME, "another step has this name");
                let finding = finding.related(&At::step(first).key("id"), "here");
                findings.add(finding.help("give each step a name of its own"));
            }
            None => {
                by_id.insert(step.id(), step.index);
            }
        }
        texts(step, findings);
    }
    by_id
}

fn name(step: Step<'_>, findings: &mut Findings<'_>) {
    let at = || step.at().key("id");
    if !is_name(step.id()) {
        let message = "its name is not written as names are, with lowercase letters, digits, `-` and `_`";
        let finding = Finding::error(at(), codes::BAD_NAME_IN_PLAN, message);
        findings.add(finding.help("labels may be written in any script; names are what other steps refer to"));
    } else if step.id() == "mission" {
        let message = "`mission` stands for what the mission is given";
        let finding = Finding::error(at(), codes::BAD_NAME_IN_PLAN, message);
        findings.add(finding.help("give the step another name"));
    }
}

fn texts(step: Step<'_>, findings: &mut Findings<'_>) {
    let mut blank = |at: At, message: String| findings.add(Finding::error(at, codes::BLANK_TEXT, message));
    for (position, effect) in step.authored.side_effects.iter().enumerate() {
        for (key, text) in [("action", &effect.action), ("target", &effect.target)] {
            if text.trim().is_empty() {
                let at = step.at().key("side_effects").item(position).key(key);
                blank(at, format!("the {key} of a side effect is empty"));
            }
        }
    }
    if step.authored.code.as_ref().is_some_and(|code| code.source.trim().is_empty()) {
        blank(step.at().key("code").key("source"), "its code is empty".to_owned());
    }
    for (key, text) in [("label", &step.authored.label), ("objective", &step.authored.objective)] {
        if text.trim().is_empty() {
            blank(step.at().key(key), format!("its {key} is empty"));
        }
    }
}

/// Words that a step quotes have to be in the objective.
pub(super) fn objective_words(cx: Cx<'_>, findings: &mut Findings<'_>) {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let objective = flat(&cx.plan.mission.objective);
    for step in cx.steps() {
        let Some(words) = &step.authored.objective_words else { continue };
        if !objective.contains(&flat(words)) {
            let message = format!("{} is not in the mission's objective", quote(words));
            let at = step.at().key("objective_words");
            let finding = Finding::warning(at, codes::WORDS_NOT_IN_OBJECTIVE, message);
            findings.add(finding.help("quote the objective word for word, so that errors can show it"));
        }
    }
}

/// Repeats the warnings of a resolver, and reports the packs that it did not settle.
pub(super) fn annotations(cx: Cx<'_>, findings: &mut Findings<'_>) {
    for step in cx.steps() {
        let unsettled = step.authored.resolution_status.filter(|status| *status != ResolutionStatus::Resolved);
        if let Some(status) = unsettled {
            let reason = step.authored.reason.as_ref().map_or_else(String::new, |text| format!(": {}", quote(text)));
            let message = format!("its packs and policy are {}{reason}", status.as_str());
            let at = step.at().key("resolution_status");
            let finding = Finding::warning(at, codes::RESOLVER_WARNING, message);
            findings.add(finding.help("name the packs and the policy, and remove `resolution_status`"));
        }
        for (position, warning) in step.authored.warnings.iter().enumerate() {
            let message = format!("the resolver warns: {}", quote(warning));
            let at = step.at().key("warnings").item(position);
            findings.add(Finding::info(at, codes::RESOLVER_WARNING, message));
        }
    }
}
