//! C1, the candidate: is this a plan at all? Names are unique, dependencies lead to steps and never round in a circle.

use super::state::{Lowering, Told};
use crate::codes::{
    BAD_ID, BLANK, CYCLE, IDLE_GATE, NO_STEPS, OTHER_WORDS, RESOLUTION, SAME_DEPENDENCY, SAME_ID, SELF_DEPENDENCY,
    TOO_MANY_STEPS, UNKNOWN_DEPENDENCY, UNKNOWN_GATE,
};
use crate::order::order;
use deed_diag::{Severity, did_you_mean, quote};
use deed_model::{Plan, ResolutionStatus};
use std::collections::{BTreeSet, HashMap};

/// More steps than this are no plan that anyone could answer for.
pub(crate) const MOST_STEPS: usize = 20_000;

/// How a name is written.
const NAME_HELP: &str = "write it such as `billing-audit`";

/// Looks at the structure; false if there is nothing to go on with.
pub(super) fn validate(lowering: &mut Lowering<'_>) -> bool {
    let plan = lowering.plan;
    if plan.steps.is_empty() {
        let help = Some("`deed plan new` writes one that can be filled in".to_owned());
        lowering.say(Severity::Error, NO_STEPS, "/steps", "the plan has no steps".to_owned(), help);
        return false;
    }
    if plan.steps.len() > MOST_STEPS {
        let message = format!("the plan has {} steps; at most {MOST_STEPS} are compiled", plan.steps.len());
        let help = Some("use `for_each` for work that repeats, or split the plan".to_owned());
        lowering.say(Severity::Error, TOO_MANY_STEPS, "/steps", message, help);
        return false;
    }
    if plan.mission.objective.trim().is_empty() {
        let message = "the mission has no objective".to_owned();
        lowering.say(Severity::Error, BLANK, "/mission/objective", message, None);
    }
    if !is_name(&plan.plan) {
        let message = format!("{} is no name: lowercase letters, digits, `-` and `_`", quote(&plan.plan));
        lowering.say(Severity::Error, BAD_ID, "/plan", message, Some(NAME_HELP.to_owned()));
    }
    names(lowering);
    words(lowering);
    annotations(lowering);
    let gates = gates(lowering);
    dependencies(lowering, &gates);
    sort(lowering);
    true
}

/// Lowercase letters, digits, dashes and underscores, beginning with a letter or digit.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 100
        && text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
}

fn names(lowering: &mut Lowering<'_>) {
    for (index, step) in lowering.plan.steps.iter().enumerate() {
        if !is_name(&step.id) {
            let told = Told::error(
                index,
                BAD_ID,
                "/id",
                "its name is not written as names are, with lowercase letters, digits, `-` and `_`",
            );
            lowering.tell(told.help("labels may be written in any script; names are what other steps refer to"));
        } else if step.id == "mission" {
            let told = Told::error(index, BAD_ID, "/id", "`mission` stands for what the mission is given");
            lowering.tell(told.help("give the step another name"));
        }
        match lowering.by_id.get(step.id.as_str()).copied() {
            Some(first) => {
                let told = Told::error(index, SAME_ID, "/id", "another step has this name");
                lowering
                    .tell(told.related(format!("/steps/{first}/id"), "here").help("give each step a name of its own"));
            }
            None => {
                lowering.by_id.insert(step.id.as_str(), index);
            }
        }
        for (position, effect) in step.side_effects.iter().enumerate() {
            for (key, text) in [("action", &effect.action), ("target", &effect.target)] {
                if text.trim().is_empty() {
                    let at = format!("/side_effects/{position}/{key}");
                    lowering.tell(Told::error(index, BLANK, at, format!("the {key} of a side effect is empty")));
                }
            }
        }
        if step.code.as_ref().is_some_and(|code| code.source.trim().is_empty()) {
            lowering.tell(Told::error(index, BLANK, "/code/source", "its code is empty"));
        }
        for (key, text) in [("label", &step.label), ("objective", &step.objective)] {
            if text.trim().is_empty() {
                lowering.tell(Told::error(index, BLANK, format!("/{key}"), format!("its {key} is empty")));
            }
        }
    }
}

/// Words that a step says it came from have to be in the objective.
fn words(lowering: &mut Lowering<'_>) {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let objective = flat(&lowering.plan.mission.objective);
    for (index, step) in lowering.plan.steps.iter().enumerate() {
        let Some(words) = &step.objective_words else { continue };
        if !objective.contains(&flat(words)) {
            let message = format!("{} is not in the mission's objective", quote(words));
            let told = Told::warning(index, OTHER_WORDS, "/objective_words", message);
            lowering.tell(told.help("quote the objective word for word, so that errors can show it"));
        }
    }
}

/// What a resolver says of a step: its warnings are repeated, and packs that it did not settle are reported.
fn annotations(lowering: &mut Lowering<'_>) {
    for (index, step) in lowering.plan.steps.iter().enumerate() {
        if let Some(status) = step.resolution_status.filter(|status| *status != ResolutionStatus::Resolved) {
            let reason = step.reason.as_ref().map_or_else(String::new, |reason| format!(": {}", quote(reason)));
            let message = format!("its packs and policy are {}{reason}", status.as_str());
            let told = Told::warning(index, RESOLUTION, "/resolution_status", message);
            lowering.tell(told.help("name the packs and the policy, and remove `resolution_status`"));
        }
        for (position, warning) in step.warnings.iter().enumerate() {
            let message = format!("the resolver warns: {}", quote(warning));
            lowering.tell(Told::info(index, RESOLUTION, format!("/warnings/{position}"), message));
        }
    }
}

/// Gates by name, each with the steps that come before it.
fn gates(lowering: &mut Lowering<'_>) -> HashMap<String, Vec<usize>> {
    let mut gates: HashMap<String, Vec<usize>> = HashMap::new();
    let waited: BTreeSet<&str> =
        lowering.plan.steps.iter().flat_map(|step| step.waits_for.iter().map(String::as_str)).collect();
    for (index, gate) in lowering.plan.gates.iter().enumerate() {
        let at = format!("/gates/{index}");
        if !is_name(&gate.id) {
            let message = format!("{} is no name: lowercase letters, digits, `-` and `_`", quote(&gate.id));
            lowering.say(Severity::Error, BAD_ID, &format!("{at}/id"), message, Some(NAME_HELP.to_owned()));
        }
        for (key, text) in [("question", &gate.question), ("approver_role", &gate.approver_role)] {
            if text.trim().is_empty() {
                let message = format!("gate {} does not say its {}", quote(&gate.id), key.replace('_', " "));
                lowering.say(Severity::Error, BLANK, &format!("{at}/{key}"), message, None);
            }
        }
        let mut after = Vec::new();
        for (position, step) in gate.after.iter().enumerate() {
            match lowering.by_id.get(step.as_str()) {
                Some(step) => after.push(*step),
                None => {
                    let message = format!("gate {} comes after {}, which is no step", quote(&gate.id), quote(step));
                    let help = lowering.step_like(step);
                    let at = format!("{at}/after/{position}");
                    lowering.say(Severity::Error, UNKNOWN_DEPENDENCY, &at, message, help);
                }
            }
        }
        if !waited.contains(gate.id.as_str()) {
            let message = format!("no step waits for gate {}", quote(&gate.id));
            let help = Some("name it under `waits_for` of the steps that need the approval, or take it out".to_owned());
            lowering.say(Severity::Error, IDLE_GATE, &format!("{at}/id"), message, help);
        }
        if gates.insert(gate.id.clone(), after).is_some() {
            let message = format!("another gate is called {}", quote(&gate.id));
            lowering.say(Severity::Error, SAME_ID, &format!("{at}/id"), message, None);
        }
    }
    gates
}

fn dependencies(lowering: &mut Lowering<'_>, gates: &HashMap<String, Vec<usize>>) {
    for (index, step) in lowering.plan.steps.iter().enumerate() {
        let mut before = BTreeSet::new();
        for (position, name) in step.depends_on.iter().enumerate() {
            let at = format!("/depends_on/{position}");
            match lowering.by_id.get(name.as_str()).copied() {
                _ if *name == step.id => {
                    lowering.tell(Told::error(index, SELF_DEPENDENCY, at, "it depends on itself").help("take it out"));
                }
                Some(other) => {
                    if !before.insert(other) {
                        let message = format!("it names {} twice", quote(name));
                        lowering.tell(Told::warning(index, SAME_DEPENDENCY, at, message));
                    }
                }
                None => {
                    if let Some(known) = lowering.steps.get_mut(index) {
                        known.depends_on_nothing = true;
                    }
                    let message = format!("it depends on {}, which is no step", quote(name));
                    let help = lowering.step_like(name);
                    lowering.tell(Told::error(index, UNKNOWN_DEPENDENCY, at, message).help_opt(help));
                }
            }
        }
        for (position, gate) in step.waits_for.iter().enumerate() {
            match gates.get(gate) {
                Some(after) => before.extend(after),
                None => {
                    let message = format!("it waits for {}, which is no gate", quote(gate));
                    let help = did_you_mean(gate, gates.keys().map(String::as_str));
                    let told = Told::error(index, UNKNOWN_GATE, format!("/waits_for/{position}"), message);
                    lowering.tell(told.help(help.unwrap_or_else(|| "declare it under `gates` of the plan".to_owned())));
                }
            }
        }
        if let Some(known) = lowering.steps.get_mut(index) {
            known.before = before.into_iter().collect();
        }
    }
}

/// A circle step by step: each needs the next, or waits for a gate that comes after it.
fn circle_in_words(plan: &Plan, circle: &[usize]) -> String {
    let id = |step: usize| plan.steps.get(step).map_or("", |step| step.id.as_str());
    let mut words = circle.first().map(|first| quote(id(*first))).unwrap_or_default();
    for (position, step) in circle.iter().enumerate() {
        let next = circle.get((position + 1) % circle.len()).copied().unwrap_or(*step);
        let Some(from) = plan.steps.get(*step) else { continue };
        let gate = plan
            .gates
            .iter()
            .find(|gate| from.waits_for.contains(&gate.id) && gate.after.iter().any(|after| after == id(next)));
        match gate.filter(|_| !from.depends_on.iter().any(|other| other == id(next))) {
            Some(gate) => {
                let (gate, next) = (quote(&gate.id), quote(id(next)));
                words.push_str(&format!(" waits for gate {gate}, which comes after {next}"));
            }
            None => words.push_str(&format!(" needs {}", quote(id(next)))),
        }
    }
    words
}

fn sort(lowering: &mut Lowering<'_>) {
    let names: Vec<&str> = lowering.steps.iter().map(|step| step.authored.id.as_str()).collect();
    let before: Vec<Vec<usize>> = lowering.steps.iter().map(|step| step.before.clone()).collect();
    let sorted = order(&names, &before);
    for circle in sorted.circles {
        let Some(first) = circle.first().copied() else { continue };
        let message = format!("it waits for itself: {}", circle_in_words(lowering.plan, &circle));
        // The link is a dependency, or a gate that comes after the next one.
        let link = |from: usize, to: usize| {
            let name = names.get(to).copied().unwrap_or_default();
            let depends = lowering.plan.steps.get(from).is_some_and(|step| step.depends_on.iter().any(|id| id == name));
            if depends { "/depends_on" } else { "/waits_for" }
        };
        let next = |position: usize| circle.get((position + 1) % circle.len()).copied().unwrap_or(first);
        let at = link(first, next(0));
        let others: Vec<(usize, &str)> = circle
            .iter()
            .enumerate()
            .skip(1)
            .take(5)
            .map(|(position, step)| (*step, link(*step, next(position))))
            .collect();
        let mut finding = Told::error(first, CYCLE, at, message).help("take out the dependency that is not needed");
        for (step, at) in others {
            finding = finding.related(format!("/steps/{step}{at}"), "by way of this");
        }
        lowering.tell(finding);
    }
    lowering.order = sorted.sorted;
}
