//! Grouped rows: the entities that a plan derives by grouping, named before anything else is looked up.
//!
//! An input with `adapt` reads groups, and so does an input that reads the output of a grouping step. The entity of those rows
//! has the keys and the measures as its columns; `deed_catalog` derives it.

use deed_catalog::{Catalog, Entity, Grouping, grouped_id};
use deed_diag::Invariant as _;
use deed_model::{
    AbstractInput, AbstractOutput, AdapterDeclaration, AdapterSettings, EntitySchemaId, KindKey, Plan, PlanStep,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The invariant of a schema that is made of parts of others.
const CANONICAL: &str = "a schema derived from one with a canonical form has one";

/// The kind of grouped rows.
const AGGREGATED: &str = "dataset.aggregated_rows";

/// Returns the catalogue with the entities that the plan derives; none if it derives none.
pub(super) fn extend(catalog: &Catalog, plan: &Plan) -> Option<Catalog> {
    let mut all: BTreeMap<EntitySchemaId, Vec<Entity>> = BTreeMap::new();
    for step in &plan.steps {
        let groups = step.adapter.as_deref().is_none_or(|id| catalog.adapter(id).is_some_and(is_grouping));
        let inputs = step.abstract_inputs.iter().filter(|_| groups);
        let arriving = inputs.filter_map(|input| {
            let known = catalog.entity(&input.entity_schema_id).or_else(|| base_of(catalog, input))?;
            of_input(catalog, known, input)
        });
        let given = step.abstract_outputs.iter().filter_map(|output| {
            let columns = !output.fields.is_empty();
            listed(catalog, output).or_else(|| columns.then(|| named(catalog, output)).flatten())
        });
        for entity in arriving.chain(given) {
            all.entry(entity.id.clone()).or_default().push((*entity).clone());
        }
    }
    // An output that names groups and lists no columns says nothing of groups that are described elsewhere.
    for output in plan.steps.iter().flat_map(|step| &step.abstract_outputs).filter(|output| output.fields.is_empty()) {
        if let Some(entity) = named(catalog, output) {
            all.entry(entity.id.clone()).or_insert_with(|| vec![(*entity).clone()]);
        }
    }
    let merged: Vec<Entity> = all.into_values().filter_map(|alike| merge(&alike)).collect();
    if merged.is_empty() { None } else { Some(catalog.with_derived(merged)) }
}

/// Returns whether an adapter groups the rows of one table.
pub(super) fn is_grouping(adapter: &AdapterDeclaration) -> bool {
    adapter.needs_keys && adapter.from.len() == 1
}

/// The entity whose grouped rows an input names by their derived name.
fn base_of<'c>(catalog: &'c Catalog, input: &AbstractInput) -> Option<&'c Entity> {
    let adapt = input.adapt.as_ref()?;
    let named = |entity: &&Entity| {
        let id = grouped_id(&entity.id, &adapt.keys);
        id.is_some_and(|id| id.as_str() == input.entity_schema_id)
    };
    catalog.entities().find(named)
}

/// The entity of the rows before they are grouped: an input may name either.
pub(super) fn ungrouped<'c>(catalog: &'c Catalog, known: &'c Entity, adapt: Option<&AdapterSettings>) -> &'c Entity {
    let named = adapt.and_then(|adapt| {
        let base = known.derived_from.as_ref()?;
        (grouped_id(base, &adapt.keys).as_ref() == Some(&known.id)).then(|| catalog.entity(base.as_str()))?
    });
    named.unwrap_or(known)
}

/// The entity of the groups that an input with `adapt` reads.
pub(super) fn of_input(catalog: &Catalog, known: &Entity, input: &AbstractInput) -> Option<Arc<Entity>> {
    let adapt = input.adapt.as_ref().filter(|adapt| !adapt.keys.is_empty())?;
    let of = ungrouped(catalog, known, Some(adapt));
    if of.id.is_generic() {
        return None;
    }
    let grouping = Grouping { of, keys: &adapt.keys, measures: &adapt.measures, others: Some(&[]) };
    grouping.entity().invariant(CANONICAL).map(Arc::new)
}

/// The entity of the groups that an output lists by grain and columns.
fn listed(catalog: &Catalog, output: &AbstractOutput) -> Option<Arc<Entity>> {
    let of = catalog.entity(&output.entity_schema_id)?;
    let grain: BTreeSet<String> = output.grain.iter().cloned().collect();
    if of.id.is_generic() || of.derived_from.is_some() || grain.is_empty() || grain == *of.grain {
        return None;
    }
    let others: Vec<String> = output.fields.iter().filter(|field| !grain.contains(*field)).cloned().collect();
    let others = (!output.fields.is_empty()).then_some(others.as_slice());
    let grouping = Grouping { of, keys: &output.grain, measures: &[], others };
    grouping.entity().invariant(CANONICAL).map(Arc::new)
}

/// The entity of the groups that an output calls by their derived name, `<entity>_by_<key>`.
fn named(catalog: &Catalog, output: &AbstractOutput) -> Option<Arc<Entity>> {
    let (name, fields) = (output.entity_schema_id.as_str(), &output.fields);
    if catalog.entity(name).is_some() {
        return None;
    }
    name.match_indices("_by_").find_map(|(at, by)| {
        let of = catalog.entity(name.get(..at)?).filter(|of| !of.id.is_generic() && of.derived_from.is_none())?;
        let keys: Vec<String> = name.get(at + by.len()..)?.split("_and_").map(str::to_owned).collect();
        let known = keys.iter().all(|key| of.fields.contains(key));
        grouped_id(&of.id, &keys).filter(|id| known && id.as_str() == name)?;
        let others: Vec<String> = fields.iter().filter(|field| !keys.contains(field)).cloned().collect();
        let others = (!fields.is_empty()).then_some(others.as_slice());
        Grouping { of, keys: &keys, measures: &[], others }.entity().invariant(CANONICAL).map(Arc::new)
    })
}

/// The entity of the rows that an output has, where they are grouped: by the adapter of the step, or by its code.
pub(super) fn of_output(
    catalog: &Catalog,
    step: &PlanStep,
    output: &AbstractOutput,
    known: &Entity,
    form: &KindKey,
) -> Option<Arc<Entity>> {
    if let (Some(_), Some(input)) = (
        step.adapter.as_deref().and_then(|id| catalog.adapter(id)).filter(|a| is_grouping(a)),
        step.abstract_inputs.first(),
    ) {
        let of = ungrouped(catalog, catalog.entity(&input.entity_schema_id)?, input.adapt.as_ref());
        let derived = of_input(catalog, of, input)?;
        return (known.id == of.id || known.id == derived.id).then_some(derived);
    }
    if known.derived_from.is_some() {
        return Some(Arc::new(known.clone()));
    }
    if form.as_str() != AGGREGATED { None } else { listed(catalog, output) }
}

/// The derived entity that an input means by an entity, a grain and a form that only groups have.
pub(super) fn meant<'c>(catalog: &'c Catalog, known: &Entity, input: &AbstractInput) -> Option<&'c Entity> {
    let grain: BTreeSet<String> = input.grain.iter().cloned().collect();
    let groups = input.accepted_kind_keys.iter().any(|kind| kind == AGGREGATED);
    if !groups || input.adapt.is_some() || grain.is_empty() || grain == *known.grain {
        return None;
    }
    catalog.entity(grouped_id(&known.id, &input.grain)?.as_str())
}

/// One entity of several of the same name: all their columns, of which those that all have are required.
fn merge(alike: &[Entity]) -> Option<Entity> {
    let (first, others) = alike.split_first()?;
    if others.iter().all(|other| other.hash == first.hash) {
        return Some(first.clone());
    }
    let mut schema = first.schema.clone();
    let mut required: BTreeSet<String> = (*first.required).clone();
    for other in others {
        let more = other.schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        if let Some(known) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            for (name, column) in more {
                known.entry(name.clone()).or_insert_with(|| column.clone());
            }
        }
        required.retain(|field| other.required.contains(field));
    }
    let open = alike.iter().any(|entity| entity.open);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("required".to_owned(), serde_json::json!(required));
        schema.insert("additionalProperties".to_owned(), Value::Bool(open));
    }
    let mut entity = Entity::new(first.id.clone(), schema).invariant(CANONICAL);
    entity.derived_from.clone_from(&first.derived_from);
    Some(entity)
}
