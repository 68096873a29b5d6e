//! Steps, outputs and inputs that nothing the mission delivers rests on.

use crate::codes::{FOR_NOTHING, UNUSED};
use crate::lower::state::{Lowering, Source, Told};
use crate::path::WorkPath;
use deed_diag::{Severity, quote};
use deed_model::OutputRole;
use std::collections::BTreeSet;

/// Steps and outputs that lead to nothing the mission delivers.
pub(super) fn needless(lowering: &mut Lowering<'_>) {
    let gated: BTreeSet<&str> =
        lowering.plan.gates.iter().flat_map(|gate| gate.after.iter().map(String::as_str)).collect();
    let delivers = |path: &str, role: OutputRole| path.starts_with("output/") && role != OutputRole::Intermediate;
    // Backwards from what is delivered, done or looked at by a person: all that any of it rests on.
    let mut left: Vec<usize> = Vec::new();
    for (index, step) in lowering.steps.iter().enumerate() {
        let kept = step.writes.iter().any(|(path, role)| delivers(path, *role))
            || !step.authored.side_effects.is_empty()
            || gated.contains(step.authored.id.as_str());
        if kept {
            left.push(index);
        }
    }
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let mut read: BTreeSet<String> = BTreeSet::new();
    while let Some(index) = left.pop() {
        if !needed.insert(index) {
            continue;
        }
        let Some(step) = lowering.steps.get(index) else { continue };
        for bound in step.bound.iter().flatten() {
            if let Source::Step(producer, _) = bound.source {
                left.push(producer);
            }
        }
        for path in &step.reads {
            let writer = WorkPath::read_any(path).ok().and_then(|path| lowering.writers.get(&path.folded).cloned());
            if let Some((Source::Step(writer, _), _)) = writer {
                left.push(writer);
            }
            read.insert(path.clone());
        }
    }
    for index in 0..lowering.steps.len() {
        if !needed.contains(&index) {
            let told = Told::warning(index, FOR_NOTHING, "/id", "nothing that the mission delivers rests on it");
            let help = "let a step read what it gives, deliver it beneath `output/` with a role other than \
                        `intermediate`, or take it out";
            lowering.tell(told.help(help));
            continue;
        }
        let Some(step) = lowering.steps.get(index) else { continue };
        let unused: Vec<(String, String)> = step
            .outputs
            .iter()
            .filter(|output| !output.used && !delivers(&output.path, output.role) && !read.contains(&output.path))
            .map(|output| (output.at.clone(), output.slot.clone()))
            .collect();
        for (at, slot) in unused {
            let beneath = at.strip_prefix(&format!("/steps/{index}")).unwrap_or_default().to_owned();
            let message = format!("nobody reads its output {}", quote(&slot));
            let told = Told::warning(index, UNUSED, beneath, message);
            lowering.tell(told.help("take it out, or deliver it beneath `output/`"));
        }
    }
    let idle: Vec<(String, String)> = lowering
        .given
        .iter()
        .filter(|given| !given.used && !lowering.steps.iter().any(|step| step.reads.contains(&given.path)))
        .map(|given| (given.at.clone(), given.path.clone()))
        .collect();
    for (at, path) in idle {
        let message = format!("nobody reads {}, which the mission is given", quote(&path));
        lowering.say(Severity::Warning, UNUSED, &at, message, Some("let a step read it, or take it out".to_owned()));
    }
}
