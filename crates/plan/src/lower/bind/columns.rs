//! The columns that a named adapter gives, compared with the entity of its output: all are known before anything runs.

use super::View;
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::{Output, Source};
use deed_catalog::Entity;
use deed_diag::{codes, quote};
use deed_model::{AdapterDeclaration, PlanStep};
use serde_json::Value;
use std::collections::BTreeSet;

/// The columns of a table, as far as they are declared.
struct Columns<'v> {
    /// Columns that are surely there.
    certain: BTreeSet<String>,
    /// Columns that may be there; none if there may be any.
    possible: Option<BTreeSet<String>>,
    /// The entity that says their types.
    entity: Option<&'v Entity>,
}

/// Checks the columns of a join, or of groups, against the entity that the step gives.
pub(super) fn check(
    view: View<'_, '_>,
    step: Step<'_>,
    adapter: &AdapterDeclaration,
    sources: &[Source],
    findings: &mut Findings<'_>,
) {
    let adapt = step.authored.abstract_inputs.iter().find_map(|input| input.adapt.as_ref());
    let keys = adapt.map(|adapt| adapt.keys.as_slice()).unwrap_or_default();
    if !adapter.needs_keys || keys.is_empty() || sources.len() != adapter.from.len() {
        return;
    }
    let tables: Vec<Columns<'_>> = sources.iter().map(|source| of(view.cx, view.offers().get(*source))).collect();
    check_keys(step, adapter, keys, &tables, findings);
    let made = match tables.as_slice() {
        [left, right] => joined(step, keys, left, right, findings),
        [_] => grouped(step.authored),
        _ => return,
    };
    for output in view.offers().of_step(step.index) {
        let entity = view.cx.entity_of(output).filter(|entity| !entity.id.is_generic());
        if let Some(entity) = entity {
            check_entity(output, entity, &made, findings);
            check_optional(output, entity, &made, findings);
            if let [left, right] = tables.as_slice() {
                check_unmatched(output, entity, left, right, findings);
            }
            if output.derived.is_none() && tables.len() > 1 {
                check_types(output, entity, &tables, findings);
            }
        }
    }
}

fn of<'v>(cx: Cx<'v>, output: &'v Output) -> Columns<'v> {
    let entity = cx.entity_of(output);
    let (certain, possible) = match entity {
        _ if !output.fields.is_empty() => ((*output.fields).clone(), Some((*output.fields).clone())),
        Some(entity) => ((*entity.required).clone(), (!entity.open).then(|| entity.fields.clone())),
        None => (BTreeSet::new(), None),
    };
    Columns { certain, possible, entity }
}

/// Every table has to have the keys.
fn check_keys(
    step: Step<'_>,
    adapter: &AdapterDeclaration,
    keys: &[String],
    tables: &[Columns<'_>],
    findings: &mut Findings<'_>,
) {
    for (table, role) in tables.iter().zip(adapter.roles.iter().map(Some).chain(std::iter::repeat(None))) {
        let lacks = keys.iter().filter(|key| table.possible.as_ref().is_some_and(|all| !all.contains(*key)));
        let lacks: Vec<String> = lacks.map(|key| quote(key)).collect();
        if !lacks.is_empty() {
            let side = role.map_or_else(|| "its table".to_owned(), |role| format!("the {role} table"));
            let message = format!("{side} has no column {}, which is a key", lacks.join(", "));
            findings.add(mismatch(step, message).help("name keys that all tables have"));
        }
    }
}

fn mismatch(step: Step<'_>, message: String) -> Finding {
    Finding::error(step.at().key("abstract_inputs"), codes::ADAPTER_COLUMNS_MISMATCH, message)
}

/// The columns of a join. A column that both tables surely have beside the keys stops it.
fn joined<'v>(
    step: Step<'_>,
    keys: &[String],
    left: &Columns<'_>,
    right: &Columns<'_>,
    findings: &mut Findings<'_>,
) -> Columns<'v> {
    let both = left.certain.intersection(&right.certain).filter(|name| !keys.contains(name));
    let both: Vec<String> = both.map(|name| quote(name)).collect();
    if !both.is_empty() {
        let message = format!("both tables have a column {}", both.join(", "));
        findings.add(mismatch(step, message).help("make it a key, or give it another name in a step before"));
    }
    for key in keys {
        if let (Some(one), Some(other)) = (types(left.entity, key), types(right.entity, key))
            && one.is_disjoint(&other)
        {
            let (one, other) = (alternatives(&one), alternatives(&other));
            let message = format!("the key {} is {one} on the left and {other} on the right", quote(key));
            let help = "give it the same type in both, in a step before; no two rows would match";
            findings.add(mismatch(step, message).help(help));
        }
    }
    let possible = match (&left.possible, &right.possible) {
        (Some(left), Some(right)) => Some(left.union(right).cloned().collect()),
        _ => None,
    };
    Columns { certain: left.certain.union(&right.certain).cloned().collect(), possible, entity: None }
}

/// The columns of groups: the keys and the measures.
fn grouped<'v>(step: &PlanStep) -> Columns<'v> {
    let adapt = step.abstract_inputs.iter().find_map(|input| input.adapt.as_ref());
    let columns: BTreeSet<String> = adapt
        .iter()
        .flat_map(|adapt| adapt.keys.iter().chain(adapt.measures.iter().map(|measure| &measure.name)))
        .cloned()
        .collect();
    Columns { certain: columns.clone(), possible: Some(columns), entity: None }
}

/// Required fields of the entity have to be possible, and certain columns have to be allowed by it.
fn check_entity(output: &Output, entity: &Entity, made: &Columns<'_>, findings: &mut Findings<'_>) {
    let (at, id) = (output.at.key("entity_schema_id"), quote(entity.id.as_str()));
    let missing =
        entity.required.iter().filter(|field| made.possible.as_ref().is_some_and(|all| !all.contains(*field)));
    let missing: Vec<String> = missing.map(|field| quote(field)).collect();
    if !missing.is_empty() {
        let message = format!("{id} requires {}, which the adapter does not give", missing.join(", "));
        let help = "name an entity that has the columns of the inputs, or add a step that makes the missing ones";
        findings.add(Finding::error(at.clone(), codes::ADAPTER_COLUMNS_MISMATCH, message).help(help));
    }
    let extra = made.certain.iter().filter(|field| !entity.open && !entity.fields.contains(*field));
    let extra: Vec<String> = extra.map(|field| quote(field)).collect();
    if !extra.is_empty() {
        let message = format!("the adapter gives {}, which {id} does not have", extra.join(", "));
        let help = "name an entity that has these columns, or drop them in a step before";
        findings.add(Finding::error(at, codes::ADAPTER_COLUMNS_MISMATCH, message).help(help));
    }
}

/// Columns that may be there and that the entity forbids: a run succeeds only while no row has one.
fn check_optional(output: &Output, entity: &Entity, made: &Columns<'_>, findings: &mut Findings<'_>) {
    let possible = made.possible.iter().flatten();
    let optional = possible.filter(|field| !made.certain.contains(*field) && !entity.fields.contains(*field));
    let optional: Vec<String> = optional.filter(|_| !entity.open).map(|field| quote(field)).collect();
    if !optional.is_empty() {
        let (id, optional) = (quote(entity.id.as_str()), optional.join(", "));
        let message = format!("the adapter gives {optional} where a row has it, which {id} does not have");
        let at = output.at.key("entity_schema_id");
        let finding = Finding::warning(at, codes::ADAPTER_COLUMNS_MISMATCH, message);
        findings.add(finding.help("name an entity that has these columns, or drop them in a step before"));
    }
}

/// A row of the left table that matches none of the right has only its own columns.
fn check_unmatched(
    output: &Output,
    entity: &Entity,
    left: &Columns<'_>,
    right: &Columns<'_>,
    findings: &mut Findings<'_>,
) {
    let of_right = |field: &&String| {
        let given = right.possible.as_ref().unwrap_or(&right.certain).contains(*field);
        let own = left.certain.contains(*field) || left.possible.as_ref().is_some_and(|all| all.contains(*field));
        given && !own
    };
    let required: Vec<String> = entity.required.iter().filter(of_right).map(|field| quote(field)).collect();
    if !required.is_empty() {
        let (id, required) = (quote(entity.id.as_str()), required.join(", "));
        let message = format!("{id} requires {required}, which a row of the left table without a match does not have");
        let at = output.at.key("entity_schema_id");
        let finding = Finding::warning(at, codes::ADAPTER_COLUMNS_MISMATCH, message);
        findings.add(finding.help("make these fields optional in the entity, unless every row has a match"));
    }
}

/// Columns of a join have to have the types that the entity says.
fn check_types(output: &Output, entity: &Entity, tables: &[Columns<'_>], findings: &mut Findings<'_>) {
    for (table, field) in tables.iter().flat_map(|table| table.certain.iter().map(move |field| (table, field))) {
        if let (Some(given), Some(wanted)) = (types(table.entity, field), types(Some(entity), field))
            && given.is_disjoint(&wanted)
        {
            let (given, wanted) = (alternatives(&given), alternatives(&wanted));
            let (field, id) = (quote(field), quote(entity.id.as_str()));
            let message = format!("{field} is {given} in what is joined, and {wanted} in {id}");
            let at = output.at.key("entity_schema_id");
            let finding = Finding::error(at, codes::ADAPTER_COLUMNS_MISMATCH, message);
            findings.add(finding.help("name an entity whose columns have these types"));
        }
    }
}

fn alternatives(types: &BTreeSet<&str>) -> String {
    types.iter().copied().collect::<Vec<_>>().join(" or ")
}

/// The JSON types that a column may have, where its schema names them. Every integer is a number.
fn types<'v>(entity: Option<&'v Entity>, field: &str) -> Option<BTreeSet<&'v str>> {
    let all: Vec<&str> = match entity?.schema.get("properties")?.get(field)?.get("type")? {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    Some(all.into_iter().map(|name| if name == "integer" { "number" } else { name }).collect())
}
