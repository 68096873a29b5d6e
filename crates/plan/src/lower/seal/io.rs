//! Inputs, outputs and bindings of steps, and the inputs of the mission, as contracts have them.

use super::Inputs;
use crate::lower::cx::{Cx, Step};
use crate::lower::output::{Output, Source};
use crate::lower::places::places;
use crate::lower::sets;
use crate::lower::validators::{held_to, owed_provenance};
use deed_canon::ContentHash;
use deed_catalog::Entity;
use deed_diag::Invariant as _;
use deed_model::{
    Binding, BindingRank, EntitySchemaId, HeldEntity, InputContract, IoContract, MissionInputContract, OutputContract,
    Producer, ProvenanceDemand,
};
use std::collections::BTreeSet;

/// The files that the mission is given and some step reads. A violation refuses the run unless generic data may be bound
/// by all that read it.
pub(super) fn mission_inputs(cx: Cx<'_>, inputs: Inputs<'_>) -> Vec<MissionInputContract> {
    let mut all = Vec::new();
    for (source, given) in inputs.bindings.offers.mission() {
        let Some(mode) = inputs.bindings.mission_mode(inputs.snapshot, inputs.wiring, source) else { continue };
        let entity = cx.catalog.entity(given.entity.as_str()).filter(|entity| !entity.id.is_generic());
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

/// The inputs and outputs of a step.
pub(super) fn contract(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>) -> IoContract {
    let files = inputs.wiring.of_step(step.index);
    let arrivals = inputs.adapters.of_step(step.index).iter().filter_map(|read| read.arrival.as_ref());
    let reads: BTreeSet<String> =
        files.reads.iter().cloned().chain(arrivals.map(|arrival| arrival.path.clone())).collect();
    let writes: BTreeSet<String> = files.writes.iter().map(|(path, _)| path.clone()).collect();
    let by_path = by_path(inputs, step).map(|(_, output)| input_by_path(cx, output));
    let outputs = inputs.bindings.offers.of_step(step.index).iter();
    IoContract {
        read_paths: reads.into_iter().collect(),
        write_sets: writes.iter().filter_map(|path| sets::bounds(step.authored, path)).collect(),
        write_paths: writes.into_iter().collect(),
        inputs: inputs_by_meaning(cx, inputs, step).into_iter().chain(by_path).collect(),
        outputs: outputs.map(|output| output_contract(cx, inputs, step, output)).collect(),
    }
}

fn output_contract(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>, output: &Output) -> OutputContract {
    OutputContract {
        slot: output.slot.clone(),
        entity_schema_id: output.entity.clone(),
        kind_key: output.kind.clone(),
        profile_id: output.profile.clone(),
        path: output.path.clone(),
        role: output.role,
        fields: output.fields.iter().cloned().collect(),
        grain: output.grain.iter().cloned().collect(),
        provenance_fields: owed_provenance(cx, inputs.snapshot, step, output),
    }
}

fn input_by_path(cx: Cx<'_>, output: &Output) -> InputContract {
    InputContract {
        slot: output.slot.clone(),
        required: true,
        entity_schema_id: output.entity.clone(),
        kind_key: Some(output.kind.clone()),
        path: Some(output.path.clone()),
        fields: output.fields.iter().cloned().collect(),
        grain: output.grain.iter().cloned().collect(),
        provenance: ProvenanceDemand::None,
        role: None,
        entity_hash: hash_of_entity(cx, output.derived.as_deref(), &output.entity),
        derived_schema: output.derived.as_ref().map(|entity| entity.schema.clone()),
        held_to: None,
    }
}

/// The inputs that a step names by meaning, as they are read.
fn inputs_by_meaning(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>) -> Vec<InputContract> {
    let adapter = step.authored.adapter.as_deref().and_then(|id| cx.catalog.adapter(id));
    let places = adapter.map(|adapter| (adapter, places(step.authored, adapter)));
    let mut all = Vec::new();
    for (position, read) in inputs.adapters.of_step(step.index).iter().enumerate() {
        let need = read.need.invariant("names of a plan that is not refused lead somewhere");
        let arrival = read.arrival.as_ref();
        let derived = arrival.and_then(|arrival| arrival.derived.as_deref());
        let entity = derived.map_or(&need.entity, |entity| &entity.id).clone();
        let authored = read.input.authored;
        all.push(InputContract {
            slot: authored.slot.clone(),
            required: authored.required,
            entity_hash: hash_of_entity(cx, derived, &entity).filter(|_| arrival.is_some()),
            derived_schema: derived.map(|entity| entity.schema.clone()),
            entity_schema_id: entity,
            kind_key: arrival.map(|arrival| arrival.kind.clone()),
            path: arrival.map(|arrival| arrival.path.clone()),
            fields: need.fields.iter().cloned().collect(),
            grain: need.grain.iter().cloned().collect(),
            provenance: need.provenance,
            held_to: held_to(inputs.bindings, read).and_then(|given| {
                let entity_hash = hash_of_entity(cx, None, &given.entity)?;
                let grain = given.grain.iter().cloned().collect();
                Some(HeldEntity { entity_schema_id: given.entity.clone(), entity_hash, grain })
            }),
            role: places.as_ref().and_then(|(adapter, places)| adapter.roles.get(*places.get(position)?).cloned()),
        });
    }
    all
}

/// The hash of an entity that describes something.
fn hash_of_entity(cx: Cx<'_>, derived: Option<&Entity>, id: &EntitySchemaId) -> Option<ContentHash> {
    let entity = derived.or_else(|| cx.catalog.entity(id.as_str()));
    entity.filter(|entity| !entity.id.is_generic()).map(|entity| entity.hash)
}

/// Files that a step reads by path alone, each with what gives it.
fn by_path<'s>(inputs: Inputs<'s>, step: Step<'_>) -> impl Iterator<Item = (Source, &'s Output)> {
    let reads = inputs.adapters.of_step(step.index);
    let bound = |path: &str| reads.iter().filter_map(|read| read.arrival.as_ref()).any(|known| known.path == path);
    let sources = inputs.wiring.of_step(step.index).by_path.iter();
    let given = sources.map(move |source| (*source, inputs.bindings.offers.get(*source)));
    given.filter(move |(_, output)| !bound(&output.path))
}

/// The bindings of a step's inputs.
pub(super) fn bindings(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>) -> Vec<Binding> {
    let producer = |source: Source, output: &Output| Producer {
        step: cx.producing_step(source),
        path: output.path.clone(),
        kind_key: output.kind.clone(),
    };
    let mut bindings = Vec::new();
    for read in inputs.adapters.of_step(step.index) {
        let Some(bound) = read.bound else { continue };
        bindings.push(Binding {
            input: read.input.position,
            slot: read.input.authored.slot.clone(),
            producer: producer(bound.source, inputs.bindings.offers.get(bound.source)),
            rank: bound.rank,
            why: bound.why.clone(),
            by: read.arrival.as_ref().invariant("a bound input of a plan that is not refused is read").by.clone(),
            drops: bound.drops.clone(),
        });
    }
    let named = step.authored.abstract_inputs.len();
    for (number, (source, output)) in by_path(inputs, step).enumerate() {
        bindings.push(Binding {
            input: named + number,
            slot: output.slot.clone(),
            producer: producer(source, output),
            rank: if output.entity.is_generic() { BindingRank::Generic } else { BindingRank::Exact },
            why: format!("it is read by its path, as {} gives it", cx.producer(source)),
            by: Vec::new(),
            drops: Vec::new(),
        });
    }
    bindings
}
