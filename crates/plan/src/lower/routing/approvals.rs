//! Approvals of effects: asked for where the policy demands it, and after what they approve was made.

use super::Inputs;
use crate::lower::cx::{Cx, Step, StepIndex};
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::Source;
use deed_diag::{codes, quote};
use deed_model::PlanGate;
use std::collections::BTreeSet;

/// An effect outside the workspace waits for an approval, where the policy asks for it.
pub(super) fn check_effects(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>, findings: &mut Findings<'_>) {
    let authored = step.authored;
    if !inputs.snapshot.rules(step.index).effects_need_gate || !authored.waits_for.is_empty() {
        return;
    }
    let (at, what) = match (authored.side_effects.first(), external_tool(cx, step)) {
        (Some(effect), _) => ("side_effects", format!("{} of {}", quote(&effect.action), quote(&effect.target))),
        (None, Some(tool)) => ("tool_needs", quote(tool)),
        (None, None) => return,
    };
    let message = format!("{what} reaches beyond the workspace, and the policy asks for an approval first");
    let finding = Finding::error(step.at().key(at), codes::EFFECT_WITHOUT_APPROVAL, message);
    findings.add(finding.help("declare a gate under `gates` of the plan, and name it under `waits_for` of the step"));
}

fn external_tool<'l>(cx: Cx<'_>, step: Step<'l>) -> Option<&'l String> {
    let external = |tool: &&String| cx.catalog.capability(tool).is_some_and(|known| known.external);
    step.authored.tool_needs.iter().find(external)
}

/// An approval of an effect has to come after the steps that make what the effect sends.
pub(super) fn check_order(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>, findings: &mut Findings<'_>) {
    let acts = !step.authored.side_effects.is_empty() || external_tool(cx, step).is_some();
    if !acts || step.authored.waits_for.is_empty() {
        return;
    }
    // A misspelt name is reported where it stands; what it was meant to be is not known.
    let Some(shown) = shown_at_gates(cx, inputs, step) else { return };
    for producer in producers(inputs, step) {
        let seen = |after: &StepIndex| *after == producer || inputs.candidate.comes_before(producer, *after);
        if !shown.iter().any(seen) {
            let name = cx.step(producer).id();
            let message = format!("it is approved before step {} has made what it sends", quote(name));
            let finding = Finding::error(step.at().key("waits_for"), codes::EFFECT_WITHOUT_APPROVAL, message);
            findings.add(finding.help(format!("add `{name}` to `after` of the gate")));
        }
    }
}

/// The steps that the gates of a step come after; none if a gate or a step of theirs does not exist.
fn shown_at_gates(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>) -> Option<Vec<StepIndex>> {
    let awaited = |gate: &&PlanGate| step.authored.waits_for.contains(&gate.id);
    let known = |id: &String| cx.plan.gates.iter().any(|gate| gate.id == *id);
    if !step.authored.waits_for.iter().all(known) {
        return None;
    }
    let after = cx.plan.gates.iter().filter(awaited).flat_map(|gate| &gate.after);
    after.map(|id| inputs.candidate.step_named(id)).collect()
}

/// The steps that give what a step reads, by meaning or by path.
fn producers(inputs: Inputs<'_>, step: Step<'_>) -> BTreeSet<StepIndex> {
    let bound = inputs.bindings.sources_of(step.index).filter_map(|source| match source {
        Source::Step(producer, _) => Some(producer),
        Source::Mission(_) => None,
    });
    let files = inputs.wiring.of_step(step.index);
    let by_path = files.reads.iter().filter_map(|path| inputs.wiring.writers.step_writing(path));
    bound.chain(by_path).collect()
}
