//! The columns that a named adapter gives, held against the entity of its output: all are known before anything runs.

use crate::codes::ADAPTER_COLUMNS;
use crate::lower::state::{Lowering, Output, Source, Told};
use deed_catalog::Entity;
use deed_diag::quote;
use deed_model::{AdapterDeclaration, PlanStep};
use serde_json::Value;
use std::collections::BTreeSet;

/// The columns of a table, as far as they are declared.
struct Columns {
    /// Columns that are surely there.
    certain: BTreeSet<String>,
    /// Columns that may be there; none if there may be any.
    possible: Option<BTreeSet<String>>,
    /// The entity that says their types.
    entity: Option<Entity>,
}

/// Checks the columns of a join, or of groups, against the entity that the step gives.
pub(super) fn check(
    lowering: &mut Lowering<'_>,
    index: usize,
    step: &PlanStep,
    adapter: &AdapterDeclaration,
    sources: &[Source],
) {
    let keys: Vec<String> =
        step.abstract_inputs.iter().find_map(|input| input.adapt.as_ref()).map(|a| a.keys.clone()).unwrap_or_default();
    if !adapter.needs_keys || keys.is_empty() || sources.len() != adapter.from.len() {
        return;
    }
    let tables: Vec<Columns> =
        sources.iter().filter_map(|source| lowering.output(*source)).map(|output| of(lowering, output)).collect();
    for (table, role) in tables.iter().zip(adapter.roles.iter().map(Some).chain(std::iter::repeat(None))) {
        let lacks = keys.iter().filter(|key| table.possible.as_ref().is_some_and(|all| !all.contains(*key)));
        let lacks: Vec<String> = lacks.map(|key| quote(key)).collect();
        if !lacks.is_empty() {
            let side = role.map_or_else(|| "its table".to_owned(), |role| format!("the {role} table"));
            let message = format!("{side} has no column {}, which is a key", lacks.join(", "));
            let told = Told::error(index, ADAPTER_COLUMNS, "/abstract_inputs", message);
            lowering.tell(told.help("name keys that all tables have"));
        }
    }
    let made = match tables.as_slice() {
        [left, right] => joined(lowering, index, &keys, left, right),
        [_] => grouped(step),
        _ => return,
    };
    let outputs = lowering.steps.get(index).map(|step| step.outputs.clone()).unwrap_or_default();
    for (position, output) in outputs.iter().enumerate() {
        against(lowering, index, position, output, &made, &tables);
    }
}

fn of(lowering: &Lowering<'_>, output: &Output) -> Columns {
    let entity = output.derived.as_deref().or_else(|| lowering.catalog.entity(output.entity.as_str())).cloned();
    let (certain, possible) = match &entity {
        _ if !output.fields.is_empty() => ((*output.fields).clone(), Some((*output.fields).clone())),
        Some(entity) => ((*entity.required).clone(), (!entity.open).then(|| entity.fields.clone())),
        None => (BTreeSet::new(), None),
    };
    Columns { certain, possible, entity }
}

/// The columns of a join. A column that both tables surely have beside the keys stops it.
fn joined(lowering: &mut Lowering<'_>, index: usize, keys: &[String], left: &Columns, right: &Columns) -> Columns {
    let both: Vec<String> =
        left.certain.intersection(&right.certain).filter(|name| !keys.contains(name)).map(|name| quote(name)).collect();
    if !both.is_empty() {
        let message = format!("both tables have a column {}", both.join(", "));
        let help = "make it a key, or give it another name in a step before";
        lowering.tell(Told::error(index, ADAPTER_COLUMNS, "/abstract_inputs", message).help(help));
    }
    for key in keys {
        if let (Some(one), Some(other)) = (sorts(left.entity.as_ref(), key), sorts(right.entity.as_ref(), key))
            && one.is_disjoint(&other)
        {
            let told = |sorts: &BTreeSet<String>| sorts.iter().cloned().collect::<Vec<_>>().join(" or ");
            let message =
                format!("the key {} is {} on the left and {} on the right", quote(key), told(&one), told(&other));
            let help = "give it the same type in both, in a step before; no two rows would match";
            lowering.tell(Told::error(index, ADAPTER_COLUMNS, "/abstract_inputs", message).help(help));
        }
    }
    let possible = match (&left.possible, &right.possible) {
        (Some(left), Some(right)) => Some(left.union(right).cloned().collect()),
        _ => None,
    };
    Columns { certain: left.certain.union(&right.certain).cloned().collect(), possible, entity: None }
}

fn grouped(step: &PlanStep) -> Columns {
    let adapt = step.abstract_inputs.iter().find_map(|input| input.adapt.as_ref());
    let columns: BTreeSet<String> = adapt
        .iter()
        .flat_map(|adapt| adapt.keys.iter().chain(adapt.measures.iter().map(|measure| &measure.name)))
        .cloned()
        .collect();
    Columns { certain: columns.clone(), possible: Some(columns), entity: None }
}

/// What the entity requires must be possible, and what is certain the entity must allow.
fn against(
    lowering: &mut Lowering<'_>,
    index: usize,
    position: usize,
    output: &Output,
    made: &Columns,
    tables: &[Columns],
) {
    let Some(entity) = output.derived.as_deref().or_else(|| lowering.catalog.entity(output.entity.as_str())).cloned()
    else {
        return;
    };
    if entity.id.is_generic() {
        return;
    }
    let at = format!("/abstract_outputs/{position}/entity_schema_id");
    let missing =
        entity.required.iter().filter(|field| made.possible.as_ref().is_some_and(|all| !all.contains(*field)));
    let missing: Vec<String> = missing.map(|field| quote(field)).collect();
    if !missing.is_empty() {
        let message =
            format!("{} requires {}, which the adapter does not give", quote(entity.id.as_str()), missing.join(", "));
        let help = "name an entity that has the columns of the inputs, or add a step that makes the missing ones";
        lowering.tell(Told::error(index, ADAPTER_COLUMNS, at.clone(), message).help(help));
    }
    let extra = made.certain.iter().filter(|field| !entity.open && !entity.fields.contains(*field));
    let extra: Vec<String> = extra.map(|field| quote(field)).collect();
    if !extra.is_empty() {
        let message =
            format!("the adapter gives {}, which {} does not have", extra.join(", "), quote(entity.id.as_str()));
        let help = "name an entity that has these columns, or drop them in a step before";
        lowering.tell(Told::error(index, ADAPTER_COLUMNS, at.clone(), message).help(help));
    }
    for table in tables.iter().filter(|_| output.derived.is_none() && tables.len() > 1) {
        for field in &table.certain {
            if let (Some(given), Some(wanted)) = (sorts(table.entity.as_ref(), field), sorts(Some(&entity), field))
                && given.is_disjoint(&wanted)
            {
                let told = |sorts: &BTreeSet<String>| sorts.iter().cloned().collect::<Vec<_>>().join(" or ");
                let message = format!(
                    "{} is {} in what is joined, and {} in {}",
                    quote(field),
                    told(&given),
                    told(&wanted),
                    quote(entity.id.as_str())
                );
                let help = "name an entity whose columns have these types";
                lowering.tell(Told::error(index, ADAPTER_COLUMNS, at.clone(), message).help(help));
            }
        }
    }
}

/// The JSON types that a column may have, where its schema names them. Every integer is a number.
fn sorts(entity: Option<&Entity>, field: &str) -> Option<BTreeSet<String>> {
    let sort = entity?.schema.get("properties")?.get(field)?.get("type")?;
    let all: Vec<&str> = match sort {
        Value::String(sort) => vec![sort],
        Value::Array(sorts) => sorts.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    Some(all.into_iter().map(|sort| if sort == "integer" { "number" } else { sort }.to_owned()).collect())
}
