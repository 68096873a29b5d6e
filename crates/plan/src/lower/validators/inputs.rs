//! Validators of what a step reads.

use super::Inputs;
use crate::lower::adapt::{Arrival, ReadInput};
use crate::lower::bind::Bindings;
use crate::lower::cx::{Cx, Step};
use crate::lower::output::{Output, Source};
use crate::lower::snapshot::{InputNeed, input_mode};
use deed_model::{
    BindingRank, EntitySchemaId, Kind, KindKey, KindShape, LadderMode, Phase, ProvenanceDemand, Validator,
    ValidatorCheck,
};
use std::collections::BTreeSet;

/// The validators of all inputs of a step, by meaning and by path.
pub(super) fn validators(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>) -> Vec<Validator> {
    let mode = input_mode(inputs.snapshot.rules(step.index));
    let mut all = Vec::new();
    for read in inputs.adapters.of_step(step.index) {
        if let (Some(need), Some(arrival)) = (read.need, &read.arrival) {
            let checks = by_meaning(cx, inputs.bindings, read, need, arrival, mode);
            all.extend(checks.into_iter().map(|check| validator(check, &arrival.path)));
        }
    }
    for source in &inputs.wiring.of_step(step.index).by_path {
        let output = inputs.bindings.offers.get(*source);
        let checks = by_path(cx, *source, output, mode);
        all.extend(checks.into_iter().map(|check| validator(check, &output.path)));
    }
    all
}

/// A check, and how strictly it is held.
type Check = (ValidatorCheck, LadderMode);

fn validator((check, mode): Check, path: &str) -> Validator {
    Validator { phase: Phase::StepInput, mode, path: path.to_owned(), check }
}

/// The file of the mission that a step reads as generic data although it is declared as an entity: it is held to that.
pub(in crate::lower) fn held_to<'s>(bindings: &'s Bindings<'_>, read: &ReadInput<'_>) -> Option<&'s Output> {
    let bound = read.bound.filter(|bound| matches!(bound.source, Source::Mission(_)) && bound.route.is_empty())?;
    let given = bindings.offers.get(bound.source);
    (read.need?.entity.is_generic() && !given.entity.is_generic()).then_some(given)
}

fn by_meaning(
    cx: Cx<'_>,
    bindings: &Bindings<'_>,
    read: &ReadInput<'_>,
    need: &InputNeed,
    arrival: &Arrival,
    mode: LadderMode,
) -> Vec<Check> {
    let mut checks = vec![(ValidatorCheck::Exists, LadderMode::Block)];
    let Some(kind) = cx.catalog.kind(arrival.kind.as_str()).filter(|kind| kind.has_form()) else { return checks };
    let rows = kind.shape == KindShape::Rows;
    checks.push((ValidatorCheck::Parses, LadderMode::Block));
    if rows {
        checks.push((ValidatorCheck::Fields, LadderMode::Block));
    }
    // What the mission is given is its own source.
    let given = read.bound.is_some_and(|bound| matches!(bound.source, Source::Mission(_)));
    // What steps give was checked when they ended; what the mission gives, and what nothing describes, was not.
    let raw = read.bound.is_some_and(|bound| bound.rank == BindingRank::Generic || given && bound.route.is_empty());
    if raw {
        let held = match held_to(bindings, read) {
            Some(given) => held(cx, &arrival.kind, &given.entity, &given.grain),
            None => held(cx, &arrival.kind, &need.entity, &need.grain),
        };
        checks.extend(held.into_iter().map(|check| (check, mode)));
    }
    let asked = read.input.authored.provenance_policy != ProvenanceDemand::None;
    match need.provenance {
        _ if given && !asked || !rows => {}
        ProvenanceDemand::Required => checks.push((ValidatorCheck::Provenance, LadderMode::Block)),
        ProvenanceDemand::Preferred => checks.push((ValidatorCheck::Provenance, LadderMode::Report)),
        ProvenanceDemand::None => {}
    }
    checks
}

/// The checks of a file that is read by its path, by what its producer says it is.
fn by_path(cx: Cx<'_>, source: Source, output: &Output, mode: LadderMode) -> Vec<Check> {
    let mut checks = vec![(ValidatorCheck::Exists, LadderMode::Block)];
    if cx.catalog.kind(output.kind.as_str()).is_some_and(Kind::has_form) {
        checks.push((ValidatorCheck::Parses, LadderMode::Block));
    }
    if matches!(source, Source::Mission(_)) {
        let rows = |kind: &Kind| kind.readable && kind.shape == KindShape::Rows;
        if !output.fields.is_empty() && cx.catalog.kind(output.kind.as_str()).is_some_and(rows) {
            checks.push((ValidatorCheck::Fields, mode));
        }
        let held = held(cx, &output.kind, &output.entity, &output.grain);
        checks.extend(held.into_iter().map(|check| (check, mode)));
    }
    checks
}

/// The checks that hold the contents of a file to its entity and grain, as far as its kind can be read.
fn held(cx: Cx<'_>, kind: &KindKey, entity: &EntitySchemaId, grain: &BTreeSet<String>) -> Vec<ValidatorCheck> {
    let Some(kind) = cx.catalog.kind(kind.as_str()).filter(|kind| kind.readable) else { return Vec::new() };
    let mut checks = Vec::new();
    if !entity.is_generic() && matches!(kind.shape, KindShape::Rows | KindShape::Document) {
        checks.push(ValidatorCheck::EntitySchema);
    }
    // The grain of a generic entity is that of a list of files or records, and says nothing of the rows of one.
    if !entity.is_generic() && kind.shape == KindShape::Rows && !grain.is_empty() {
        checks.push(ValidatorCheck::UniqueGrain);
    }
    checks
}
