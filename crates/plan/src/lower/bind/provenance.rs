//! The provenance that inputs demand of their rows, compared with their producers.

use super::bound::Choice;
use crate::lower::cx::StepIndex;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::Source;
use deed_diag::{codes, quote};
use deed_model::{KindShape, ProvenanceDemand};

/// The provenance that an input asks for, its producer has to have.
pub(super) fn check(choice: &Choice<'_, '_>, findings: &mut Findings<'_>) {
    let kind = choice.view.cx.catalog.kind(choice.output().kind.as_str());
    if kind.is_none_or(|kind| kind.shape != KindShape::Rows) {
        return;
    }
    match choice.source {
        Source::Mission(_) => of_mission(choice, findings),
        Source::Step(producer, _) => of_step(choice, producer, findings),
    }
}

fn of_step(choice: &Choice<'_, '_>, producer: StepIndex, findings: &mut Findings<'_>) {
    let (output, demand, groups) = (choice.output(), choice.need.provenance, choice.groups());
    let promised = choice.view.inputs.snapshot.rules(producer).provenance == ProvenanceDemand::Required;
    let kept = |field: &String| choice.need.keys.iter().any(|keys| keys.contains(field));
    let arrives = output.provenance.iter().any(|field| !groups || kept(field));
    if (promised && !groups) || arrives || demand == ProvenanceDemand::None {
        return;
    }
    let (slot, who) = (quote(&output.slot), choice.producer());
    let message = format!("{slot} has to say where each row came from, and what {who} gives has no field for it");
    let at = choice.input.at();
    let finding = match demand {
        ProvenanceDemand::Required => Finding::error(at.key("provenance_policy"), codes::PROVENANCE_MISSING, message),
        ProvenanceDemand::Preferred | ProvenanceDemand::None => {
            Finding::warning(at, codes::PROVENANCE_MISSING, message)
        }
    };
    let help = "name the fields under `provenance_fields` of the output, or give an entity that has `source_ids`";
    findings.add(finding.related(&output.at, "given here").help(help));
}

/// Files of the mission are their own source, unless the input itself asks for provenance.
fn of_mission(choice: &Choice<'_, '_>, findings: &mut Findings<'_>) {
    let output = choice.output();
    let asked = choice.input.authored.provenance_policy == ProvenanceDemand::Required;
    let entity = choice.view.cx.catalog.entity(output.entity.as_str());
    let lists = |field: &String| output.fields.is_empty() || output.fields.contains(field);
    let has = entity.is_some_and(|entity| entity.provenance_fields().iter().any(lists));
    if asked && !has {
        let slot = quote(&output.slot);
        let message =
            format!("{slot} has to say where each row came from, and what the mission is given has no field for it");
        let at = choice.input.at().key("provenance_policy");
        let finding = Finding::error(at, codes::PROVENANCE_MISSING, message).related(&output.at, "given here");
        findings.add(finding.help("give an entity that has `source_ids`, or do not ask for it here"));
    }
}
