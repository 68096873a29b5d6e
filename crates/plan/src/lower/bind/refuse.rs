//! Diagnoses of required inputs that are not bound: the nearest producer is shown, and one mistake is reported once.

use super::View;
use super::elsewhere;
use super::misfit::{Case, diagnose};
use crate::lower::cx::Input;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::Source;
use crate::lower::snapshot::InputNeed;
use deed_catalog::Misfit;
use deed_diag::{codes, quote};

/// Reports why nothing fits an input.
pub(super) fn refuse(
    view: View<'_, '_>,
    input: Input<'_>,
    need: &InputNeed,
    misfits: Vec<(Source, Misfit<'_>)>,
    findings: &mut Findings<'_>,
) {
    if in_doubt(view, input, need) {
        return;
    }
    let same_entity = |source: Source| view.offers().get(source).entity == need.entity;
    let nearest = misfits
        .into_iter()
        .max_by_key(|(source, misfit)| (misfit.nearness(), same_entity(*source), std::cmp::Reverse(*source)));
    let useful = nearest.filter(|(source, misfit)| *misfit != Misfit::Slot || same_entity(*source));
    let Some((source, misfit)) = useful else {
        let finding = no_producer(view, input, need, findings);
        findings.add(finding);
        return;
    };
    let case = Case { view, input, need, source };
    // Columns that were refused where they are given are not missed a second time.
    if case.output().flawed && matches!(misfit, Misfit::Fields(_) | Misfit::Grain) {
        return;
    }
    let finding = diagnose(&case, &misfit, findings);
    findings.add(finding.related(&case.output().at, "given here"));
}

/// Returns whether something that would have given it was refused already.
fn in_doubt(view: View<'_, '_>, input: Input<'_>, need: &InputNeed) -> bool {
    let alike = |slot: &str, entity: &str| slot == input.authored.slot || entity == need.entity.as_str();
    view.inputs.snapshot.mission_in_doubt.contains(need.entity.as_str())
        || view.inputs.candidate.dependencies(input.step.index).unknown
        || view.inputs.outputs.iter().filter(|(_, outputs)| outputs.in_doubt).any(|(step, _)| {
            let mut declared = view.cx.step(step).outputs();
            declared.any(|output| alike(&output.authored.slot, &output.authored.entity_schema_id))
        })
}

fn no_producer(view: View<'_, '_>, input: Input<'_>, need: &InputNeed, findings: &mut Findings<'_>) -> Finding {
    let slot = quote(&input.authored.slot);
    if let Some(path) = &input.authored.path {
        let message = format!("no earlier step gives {slot} in {}", quote(path));
        return Finding::error(input.at().key("path"), codes::PRODUCER_MISSING, message)
            .help("name the file of the output that is meant, or take `path` out");
    }
    let message = format!("nothing gives input {slot} of {}", quote(need.entity.as_str()));
    let help = elsewhere::suggest(view, input, need, findings)
        .unwrap_or_else(|| "add a step that gives it, or list it under `inputs` of the plan".to_owned());
    Finding::error(input.at(), codes::PRODUCER_MISSING, message).help(help)
}
