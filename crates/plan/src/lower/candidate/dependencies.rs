//! The steps that each step comes after, by its dependencies and its gates.

use super::{Dependencies, suggest};
use crate::lower::cx::{Cx, PerStep, Step, StepIndex};
use crate::lower::findings::{Finding, Findings};
use deed_diag::{codes, did_you_mean, quote};
use std::collections::{BTreeSet, HashMap};

pub(super) fn resolve<'l>(
    cx: Cx<'l>,
    by_id: &HashMap<&'l str, StepIndex>,
    gates: &HashMap<&'l str, Vec<StepIndex>>,
    findings: &mut Findings<'_>,
) -> PerStep<Dependencies> {
    cx.per_step(|step| {
        let (mut before, unknown) = named(step, by_id, findings);
        before.extend(waited_for(step, gates, findings));
        Dependencies { before: before.into_iter().collect(), unknown }
    })
}

/// The steps that a step depends on by name, and whether it names one that does not exist.
fn named(step: Step<'_>, by_id: &HashMap<&str, StepIndex>, findings: &mut Findings<'_>) -> (BTreeSet<StepIndex>, bool) {
    let (mut before, mut unknown) = (BTreeSet::new(), false);
    for (position, name) in step.authored.depends_on.iter().enumerate() {
        let at = step.at().key("depends_on").item(position);
        match by_id.get(name.as_str()).copied() {
            _ if *name == step.id() => {
                findings.add(Finding::error(at, codes::SELF_DEPENDENCY, "it depends on itself").help("take it out"));
            }
            Some(other) => {
                if !before.insert(other) {
                    let message = format!("it names {} twice", quote(name));
                    findings.add(Finding::warning(at, codes::DUPLICATE_DEPENDENCY, message));
                }
            }
            None => {
                unknown = true;
                let message = format!("it depends on {}, which is not a step", quote(name));
                let help = suggest(by_id, name, findings);
                findings.add(Finding::error(at, codes::UNKNOWN_DEPENDENCY, message).help_opt(help));
            }
        }
    }
    (before, unknown)
}

/// The steps before the gates that a step waits for.
fn waited_for(
    step: Step<'_>,
    gates: &HashMap<&str, Vec<StepIndex>>,
    findings: &mut Findings<'_>,
) -> BTreeSet<StepIndex> {
    let mut before = BTreeSet::new();
    for (position, gate) in step.authored.waits_for.iter().enumerate() {
        match gates.get(gate.as_str()) {
            Some(after) => before.extend(after),
            None => {
                let message = format!("it waits for {}, which is not a gate", quote(gate));
                let help = did_you_mean(gate, gates.keys().copied());
                let at = step.at().key("waits_for").item(position);
                let finding = Finding::error(at, codes::UNKNOWN_PLAN_GATE, message);
                findings.add(finding.help(help.unwrap_or_else(|| "declare it under `gates` of the plan".to_owned())));
            }
        }
    }
    before
}
