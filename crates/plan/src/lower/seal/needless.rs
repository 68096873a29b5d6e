//! Steps, outputs and inputs that nothing the mission delivers rests on.

use super::Inputs;
use crate::lower::cx::{Cx, StepIndex};
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::{Output, Source};
use deed_diag::{codes, quote};
use deed_model::OutputRole;
use std::collections::{BTreeSet, HashSet};

/// Reports steps, outputs and inputs of the mission that lead to nothing.
pub(super) fn check(cx: Cx<'_>, inputs: Inputs<'_>, findings: &mut Findings<'_>) {
    let used = inputs.bindings.used();
    let (needed, read) = needed(cx, inputs);
    for step in cx.steps() {
        if needed.contains(&step.index) {
            check_outputs(inputs, step.index, &used, &read, findings);
        } else {
            let message = "nothing that the mission delivers rests on it";
            let finding = Finding::warning(step.at().key("id"), codes::STEP_WITHOUT_PURPOSE, message);
            let help = "let a step read what it gives, deliver it beneath `output/` with a role other than \
                        `intermediate`, or take it out";
            findings.add(finding.help(help));
        }
    }
    check_mission(inputs, &used, findings);
}

fn is_delivered(path: &str, role: OutputRole) -> bool {
    path.starts_with("output/") && role != OutputRole::Intermediate
}

/// The steps that something rests on which is delivered, done or shown to an approver, and the paths that they read.
fn needed<'s>(cx: Cx<'_>, inputs: Inputs<'s>) -> (BTreeSet<StepIndex>, BTreeSet<&'s str>) {
    let gated: BTreeSet<&str> = cx.plan.gates.iter().flat_map(|gate| gate.after.iter().map(String::as_str)).collect();
    let ends = cx.steps().filter(|step| {
        let mut writes = inputs.wiring.of_step(step.index).writes.iter();
        writes.any(|(path, role)| is_delivered(path, *role))
            || !step.authored.side_effects.is_empty()
            || gated.contains(step.id())
    });
    let mut open: Vec<StepIndex> = ends.map(|step| step.index).collect();
    let (mut needed, mut read) = (BTreeSet::new(), BTreeSet::new());
    while let Some(step) = open.pop() {
        if !needed.insert(step) {
            continue;
        }
        open.extend(inputs.bindings.sources_of(step).filter_map(|source| match source {
            Source::Step(producer, _) => Some(producer),
            Source::Mission(_) => None,
        }));
        for path in &inputs.wiring.of_step(step).reads {
            open.extend(inputs.wiring.writers.step_writing(path));
            read.insert(path.as_str());
        }
    }
    (needed, read)
}

fn check_outputs(
    inputs: Inputs<'_>,
    step: StepIndex,
    used: &HashSet<Source>,
    read: &BTreeSet<&str>,
    findings: &mut Findings<'_>,
) {
    let offers = &inputs.bindings.offers;
    let outputs = offers.sources_of(step).filter(|source| !used.contains(source)).map(|source| offers.get(source));
    let unread = |output: &&Output| !is_delivered(&output.path, output.role) && !read.contains(output.path.as_str());
    for output in outputs.filter(unread) {
        let message = format!("no step reads its output {}", quote(&output.slot));
        let finding = Finding::warning(output.at.clone(), codes::OUTPUT_NOT_READ, message);
        findings.add(finding.help("take it out, or deliver it beneath `output/`"));
    }
}

fn check_mission(inputs: Inputs<'_>, used: &HashSet<Source>, findings: &mut Findings<'_>) {
    for (source, given) in inputs.bindings.offers.mission() {
        let by_path = || inputs.wiring.iter().any(|(_, files)| files.reads.contains(&given.path));
        if !used.contains(&source) && !by_path() {
            let message = format!("no step reads {}, which the mission is given", quote(&given.path));
            let finding = Finding::warning(given.at.clone(), codes::OUTPUT_NOT_READ, message);
            findings.add(finding.help("let a step read it, or take it out"));
        }
    }
}
