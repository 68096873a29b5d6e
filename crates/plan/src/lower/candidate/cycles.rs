//! The frozen order of steps, and the cycles that have none.

use super::Dependencies;
use crate::lower::cx::{Cx, PerStep, Step, StepIndex};
use crate::lower::findings::{At, Finding, Findings};
use crate::order::order;
use deed_diag::{codes, quote};
use deed_model::Plan;

/// Sorts the steps by their dependencies. Cycles are reported, and their steps are left out.
pub(super) fn sort(cx: Cx<'_>, dependencies: &PerStep<Dependencies>, findings: &mut Findings<'_>) -> Vec<StepIndex> {
    let names: Vec<&str> = cx.steps().map(Step::id).collect();
    let before: Vec<Vec<usize>> =
        dependencies.iter().map(|(_, step)| step.before.iter().map(|step| step.position()).collect()).collect();
    let sorted = order(&names, &before);
    for cycle in sorted.cycles {
        let cycle: Vec<Step<'_>> = cycle.into_iter().map(|position| cx.step_at(position)).collect();
        if let Some(finding) = report(cx.plan, &cycle) {
            findings.add(finding);
        }
    }
    sorted.sorted.into_iter().map(|position| cx.step_at(position).index).collect()
}

/// Each step of a cycle with the one that it waits for.
fn links<'c, 'l>(cycle: &'c [Step<'l>]) -> impl Iterator<Item = (Step<'l>, Step<'l>)> + use<'c, 'l> {
    cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1))
}

fn report(plan: &Plan, cycle: &[Step<'_>]) -> Option<Finding> {
    let message = format!("it waits for itself: {}", in_words(plan, cycle));
    let mut places = links(cycle).map(|(step, next)| place(step, next));
    let finding = Finding::error(places.next()?, codes::DEPENDENCY_CYCLE, message)
        .help("take out the dependency that is not needed");
    Some(places.take(5).fold(finding, |finding, at| finding.related(&at, "by way of this")))
}

fn depends_on(step: Step<'_>, other: Step<'_>) -> bool {
    step.authored.depends_on.iter().any(|id| id == other.id())
}

/// The place of a link: a dependency, or a gate that comes after the next step.
fn place(step: Step<'_>, next: Step<'_>) -> At {
    step.at().key(if depends_on(step, next) { "depends_on" } else { "waits_for" })
}

/// A cycle step by step: each needs the next, or waits for a gate that comes after it.
fn in_words(plan: &Plan, cycle: &[Step<'_>]) -> String {
    let mut words = cycle.first().map(|first| quote(first.id())).unwrap_or_default();
    for (step, next) in links(cycle) {
        let mut gates = plan.gates.iter().filter(|gate| step.authored.waits_for.contains(&gate.id));
        let gate = gates.find(|gate| gate.after.iter().any(|after| after == next.id()));
        match gate.filter(|_| !depends_on(step, next)) {
            Some(gate) => {
                let (gate, next) = (quote(&gate.id), quote(next.id()));
                words.push_str(&format!(" waits for gate {gate}, which comes after {next}"));
            }
            None => words.push_str(&format!(" needs {}", quote(next.id()))),
        }
    }
    words
}
