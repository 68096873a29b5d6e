//! The producers that an input could be bound to, by how near they are.

use super::View;
use crate::lower::candidate::Candidate;
use crate::lower::cx::Input;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::{Offers, Source};
use crate::lower::snapshot::InputNeed;
use deed_diag::{codes, quote};
use std::collections::HashMap;

/// Outputs of steps by slot and entity, in the frozen order.
pub(super) type BySlot = HashMap<(String, String), Vec<Source>>;

/// The entity under which all generic outputs are listed: generic data may become anything, and anything generic data.
const GENERIC: &str = "generic";

/// The distance of producers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// The step that the input names.
    Named,
    /// The steps that it depends on.
    Near,
    /// All steps that come before those.
    Far,
    /// The inputs of the mission.
    Mission,
}

pub(super) fn by_slot(candidate: &Candidate<'_>, offers: &Offers<'_>) -> BySlot {
    let mut all: BySlot = HashMap::new();
    for source in candidate.order.iter().flat_map(|step| offers.sources_of(*step)) {
        let output = offers.get(source);
        let entity = if output.entity.is_generic() { GENERIC } else { output.entity.as_str() };
        all.entry((output.slot.clone(), entity.to_owned())).or_default().push(source);
    }
    all
}

/// The levels to search, in order.
pub(super) fn levels(input: Input<'_>) -> &'static [Level] {
    match input.authored.from {
        Some(_) => &[Level::Named],
        None => &[Level::Near, Level::Far, Level::Mission],
    }
}

/// The producers at a level.
pub(super) fn at(
    view: View<'_, '_>,
    input: Input<'_>,
    need: &InputNeed,
    level: Level,
    findings: &mut Findings<'_>,
) -> Result<Vec<Source>, Finding> {
    let before = &view.inputs.candidate.dependencies(input.step.index).before;
    let mut found: Vec<Source> = match (level, &input.authored.from) {
        (Level::Named, Some(from)) => return named(view, input, from, findings),
        (Level::Named, None) => Vec::new(),
        (Level::Near, _) => before.iter().flat_map(|step| view.offers().sources_of(*step)).collect(),
        (Level::Far, _) => {
            let far = |source: &Source| match source {
                Source::Step(step, _) => {
                    !before.contains(step) && view.inputs.candidate.comes_before(*step, input.step.index)
                }
                Source::Mission(_) => false,
            };
            alike(view, input, need).into_iter().filter(far).collect()
        }
        (Level::Mission, _) => view.offers().mission().map(|(source, _)| source).collect(),
    };
    found.sort_unstable();
    Ok(found)
}

/// The outputs of the same slot whose entity could fit.
fn alike(view: View<'_, '_>, input: Input<'_>, need: &InputNeed) -> Vec<Source> {
    let slot = &input.authored.slot;
    match need.entity.is_generic() {
        true => {
            let same = view.by_slot.iter().filter(|((known, _), _)| known == slot);
            same.flat_map(|(_, all)| all).copied().collect()
        }
        false => {
            let entities = [need.entity.as_str(), GENERIC].into_iter();
            let same = entities.filter_map(|entity| view.by_slot.get(&(slot.clone(), entity.to_owned())));
            same.flatten().copied().collect()
        }
    }
}

/// The outputs of the step that an input names, which has to come before.
fn named(
    view: View<'_, '_>,
    input: Input<'_>,
    from: &str,
    findings: &mut Findings<'_>,
) -> Result<Vec<Source>, Finding> {
    if from == "mission" {
        return Ok(view.offers().mission().map(|(source, _)| source).collect());
    }
    let (candidate, own) = (view.inputs.candidate, input.step.index);
    let refuse = |message: String| Finding::error(input.at().key("from"), codes::PRODUCER_NOT_BEFORE, message);
    match candidate.step_named(from) {
        None => {
            let help = candidate.suggest(from, findings);
            Err(refuse(format!("an input comes from {}, which is not a step", quote(from))).help_opt(help))
        }
        Some(producer) if producer == own => Err(refuse("an input cannot come from the step itself".to_owned())),
        Some(producer) if candidate.comes_before(producer, own) => Ok(view.offers().sources_of(producer).collect()),
        Some(producer) if candidate.comes_before(own, producer) => {
            let finding = refuse(format!("an input comes from step {}, which runs afterwards", quote(from)));
            Err(finding.help("take it from a step that comes before"))
        }
        Some(_) => {
            let finding = refuse(format!("an input comes from step {}, which need not have run by then", quote(from)));
            Err(finding.help(format!("add `{from}` to `depends_on`")))
        }
    }
}
