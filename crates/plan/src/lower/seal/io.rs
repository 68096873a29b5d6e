//! What a step reads and writes, what its inputs are bound to, and what the mission is given, as contracts have it.

use crate::lower::adapt::places;
use crate::lower::state::{Lowering, Output, Source, Step};
use crate::lower::validators::{input_mode, owed_provenance};
use deed_canon::ContentHash;
use deed_catalog::Entity;
use deed_diag::Invariant as _;
use deed_model::{
    Binding, BindingRank, EntitySchemaId, InputContract, IoContract, LadderMode, MissionInputContract, OutputContract,
    Producer, ProvenanceDemand,
};
use std::collections::BTreeSet;

/// The files that the mission is given and some step reads. A violation refuses the run unless generic data may be bound
/// by all that read it.
pub(super) fn mission_inputs(lowering: &Lowering<'_>) -> Vec<MissionInputContract> {
    let mut all = Vec::new();
    for (number, given) in lowering.given.iter().enumerate() {
        let Some(mode) = mission_mode(lowering, number, given) else { continue };
        let entity = lowering.catalog.entity(given.entity.as_str()).filter(|entity| !entity.id.is_generic());
        all.push(MissionInputContract {
            slot: given.slot.clone(),
            path: given.path.clone(),
            entity_schema_id: given.entity.clone(),
            entity_hash: entity.map(|entity| entity.hash),
            kind_key: given.kind.clone(),
            fields: given.fields.iter().cloned().collect(),
            grain: given.grain.iter().cloned().collect(),
            mode,
        });
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

/// How strictly a file that the mission is given is held to its entity; none if no step reads it.
pub(in crate::lower) fn mission_mode(lowering: &Lowering<'_>, number: usize, given: &Output) -> Option<LadderMode> {
    let binds = |step: &&Step<'_>| {
        let bound = step.bound.iter().flatten().map(|bound| bound.source);
        bound.chain(step.by_path.iter().copied()).any(|source| source == Source::Mission(number))
            || step.reads.contains(&given.path)
    };
    let readers = lowering.steps.iter().filter(binds);
    let modes: BTreeSet<LadderMode> = readers.map(|step| input_mode(&step.policy.rules)).collect();
    match (modes.contains(&LadderMode::Block), modes.is_empty()) {
        (_, true) => None,
        (true, false) => Some(LadderMode::Block),
        (false, false) => Some(LadderMode::Report),
    }
}

pub(super) fn io(lowering: &Lowering<'_>, step: &Step<'_>) -> IoContract {
    let mut inputs = inputs_by_meaning(lowering, step);
    inputs.extend(paths(lowering, step).map(|(_, output)| InputContract {
        slot: output.slot.clone(),
        required: true,
        entity_schema_id: output.entity.clone(),
        kind_key: Some(output.kind.clone()),
        path: Some(output.path.clone()),
        fields: output.fields.iter().cloned().collect(),
        grain: output.grain.iter().cloned().collect(),
        provenance: ProvenanceDemand::None,
        role: None,
        entity_hash: hash_of_entity(lowering, output.derived.as_deref(), &output.entity),
        derived_schema: output.derived.as_ref().map(|entity| entity.schema.clone()),
    }));
    let outputs = step.outputs.iter().map(|output| OutputContract {
        slot: output.slot.clone(),
        entity_schema_id: output.entity.clone(),
        kind_key: output.kind.clone(),
        profile_id: output.profile.clone(),
        path: output.path.clone(),
        role: output.role,
        fields: output.fields.iter().cloned().collect(),
        grain: output.grain.iter().cloned().collect(),
        provenance_fields: owed_provenance(lowering, step, output),
    });
    let reads: BTreeSet<String> =
        step.reads.iter().cloned().chain(step.read_from.iter().flatten().map(|(path, _)| path.clone())).collect();
    let writes: BTreeSet<String> = step.writes.iter().map(|(path, _)| path.clone()).collect();
    IoContract {
        read_paths: reads.into_iter().collect(),
        write_sets: writes.iter().filter_map(|path| crate::lower::sets::bounds(step.authored, path)).collect(),
        write_paths: writes.into_iter().collect(),
        inputs,
        outputs: outputs.collect(),
    }
}

/// The inputs that a step names by meaning, as they are read.
fn inputs_by_meaning(lowering: &Lowering<'_>, step: &Step<'_>) -> Vec<InputContract> {
    let authored = &step.authored.abstract_inputs;
    let adapter = step.authored.adapter.as_deref().and_then(|id| lowering.catalog.adapter(id));
    let places = adapter.map(|adapter| (adapter, places(step.authored, adapter)));
    let mut inputs = Vec::new();
    for (position, (input, need)) in authored.iter().zip(&step.needs).enumerate() {
        let Some(need) = need else { continue };
        let read = step.read_from.get(position).and_then(Option::as_ref);
        let arrived = step.arrived.get(position).and_then(Option::as_ref);
        let entity = arrived.map_or(&need.entity, |entity| &entity.id).clone();
        let role = places.as_ref().and_then(|(adapter, places)| adapter.roles.get(*places.get(position)?).cloned());
        inputs.push(InputContract {
            slot: input.slot.clone(),
            required: input.required,
            entity_hash: hash_of_entity(lowering, arrived.map(AsRef::as_ref), &entity).filter(|_| read.is_some()),
            derived_schema: arrived.map(|entity| entity.schema.clone()),
            entity_schema_id: entity,
            kind_key: read.map(|(_, kind)| kind.clone()),
            path: read.map(|(path, _)| path.clone()),
            fields: need.fields.iter().cloned().collect(),
            grain: need.grain.iter().cloned().collect(),
            provenance: need.provenance,
            role,
        });
    }
    inputs
}

/// The hash of an entity that says something.
fn hash_of_entity(lowering: &Lowering<'_>, derived: Option<&Entity>, id: &EntitySchemaId) -> Option<ContentHash> {
    let entity = derived.or_else(|| lowering.catalog.entity(id.as_str()));
    entity.filter(|entity| !entity.id.is_generic()).map(|entity| entity.hash)
}

/// Files that a step reads by path alone, each with what gives it.
fn paths<'s>(lowering: &'s Lowering<'_>, step: &'s Step<'_>) -> impl Iterator<Item = (Source, &'s Output)> {
    let bound = |path: &str| step.read_from.iter().flatten().any(|(known, _)| known == path);
    let given = step.by_path.iter().filter_map(|source| Some((*source, lowering.output(*source)?)));
    given.filter(move |(_, output)| !bound(&output.path))
}

pub(super) fn bindings(lowering: &Lowering<'_>, step: &Step<'_>) -> Vec<Binding> {
    let mut bindings = Vec::new();
    for (position, bound) in step.bound.iter().enumerate() {
        let Some(bound) = bound else { continue };
        let Some(output) = lowering.output(bound.source) else { continue };
        let by_step = match bound.source {
            Source::Mission(_) => None,
            Source::Step(index, _) => lowering.steps.get(index).map(|step| step.authored.id.clone()),
        };
        bindings.push(Binding {
            input: position,
            slot: step.authored.abstract_inputs.get(position).invariant("an input is one of the step's").slot.clone(),
            producer: Producer { step: by_step, path: output.path.clone(), kind_key: output.kind.clone() },
            rank: bound.rank,
            why: bound.why.clone(),
            by: step.by.get(position).cloned().invariant("an input is one of the step's"),
            drops: bound.drops.clone(),
        });
    }
    let named = step.authored.abstract_inputs.len();
    for (number, (source, output)) in paths(lowering, step).enumerate() {
        let by_step = match source {
            Source::Mission(_) => None,
            Source::Step(index, _) => lowering.steps.get(index).map(|step| step.authored.id.clone()),
        };
        bindings.push(Binding {
            input: named + number,
            slot: output.slot.clone(),
            producer: Producer { step: by_step, path: output.path.clone(), kind_key: output.kind.clone() },
            rank: if output.entity.is_generic() { BindingRank::Generic } else { BindingRank::Exact },
            why: format!("it is read by its path, as {} gives it", lowering.who(source)),
            by: Vec::new(),
            drops: Vec::new(),
        });
    }
    bindings
}
