//! The same file bound twice in one step, by two inputs that do not differ.

use super::{Bound, StepInput};
use crate::lower::cx::{Input, Step};
use crate::lower::findings::{Finding, Findings};
use deed_diag::{codes, quote};

pub(super) fn check(step: Step<'_>, inputs: &[StepInput<'_>], findings: &mut Findings<'_>) {
    if step.authored.adapter.is_some() {
        return;
    }
    let mut seen: Vec<(Input<'_>, &Bound)> = Vec::new();
    for StepInput { input, bound, .. } in inputs {
        let Some(bound) = bound else { continue };
        let same = |(other, known): &&(Input<'_>, &Bound)| {
            known.source == bound.source
                && known.route == bound.route
                && other.authored.adapt == input.authored.adapt
                && other.authored.entity_schema_id == input.authored.entity_schema_id
        };
        if let Some((other, _)) = seen.iter().rfind(same) {
            let message = format!("input {} is the same as another input of it", quote(&input.authored.slot));
            let finding = Finding::warning(input.at(), codes::DUPLICATE_INPUT, message);
            findings.add(finding.related(&other.at(), "the other").help("remove one of them"));
        }
        seen.push((*input, bound));
    }
}
