//! The inputs of the mission: checked as outputs of steps are.

use super::columns::fields_of;
use super::names::{entity, kind, slot};
use super::packs::check_pack_named_anywhere;
use crate::lower::cx::Cx;
use crate::lower::findings::{At, Finding, Findings};
use crate::lower::output::Output;
use crate::path::WorkPath;
use deed_catalog::{Entity, kind_of_path, kinds_of_path};
use deed_diag::{codes, quote};
use deed_model::{KindKey, MissionInput, OutputRole};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The inputs of the mission, looked up.
pub(super) struct MissionInputs {
    pub(super) outputs: Vec<Output>,
    /// Entities of those that were refused.
    pub(super) in_doubt: BTreeSet<String>,
}

/// The names of an input, looked up.
struct ResolvedNames<'l> {
    entity: &'l Entity,
    kind: KindKey,
    /// The kinds that its slot carries.
    carried: &'l [KindKey],
}

/// Looks up what the mission is given.
pub(super) fn resolve(cx: Cx<'_>, findings: &mut Findings<'_>) -> MissionInputs {
    let mut given = MissionInputs { outputs: Vec::new(), in_doubt: BTreeSet::new() };
    for (position, input) in cx.plan.inputs.iter().enumerate() {
        let at = At::plan("/inputs").item(position);
        match look_up(cx, input, &at, findings) {
            Some(named) => {
                check_kind(cx, input, &named, &at, findings);
                check_pack_named_anywhere(cx, named.entity, &at.key("entity_schema_id"), findings);
                check_fields(input, named.entity, &at, findings);
                given.outputs.push(output(cx, input, named, position, at));
            }
            None => {
                given.in_doubt.insert(input.entity_schema_id.clone());
            }
        }
    }
    given
}

/// Looks up the names of an input; none if one of them leads nowhere, or its kind is unclear.
fn look_up<'l>(cx: Cx<'l>, input: &MissionInput, at: &At, findings: &mut Findings<'_>) -> Option<ResolvedNames<'l>> {
    let mut faults = Vec::new();
    if let Err(fault) = slot(cx.catalog, &input.slot) {
        faults.push(fault.at(at.key("slot")));
    }
    let known =
        entity(cx.catalog, &input.entity_schema_id).map_err(|fault| faults.push(fault.at(at.key("entity_schema_id"))));
    let carried = cx.catalog.slot(&input.slot).map(|slot| slot.kinds.as_slice()).unwrap_or_default();
    let form = match &input.kind_key {
        Some(text) => kind(cx.catalog, text).map_err(|fault| faults.push(fault.at(at.key("kind_key")))).ok(),
        None => kind_of_path(cx.catalog, &input.path, carried),
    };
    if faults.is_empty() && form.is_none() {
        let message = format!("the kind of {} is not clear from its name", quote(&input.path));
        let finding = Finding::error(at.key("path"), codes::KIND_UNCLEAR, message);
        faults.push(finding.help("name it under `kind_key`"));
    }
    let whole = faults.is_empty();
    faults.into_iter().for_each(|fault| findings.add(fault));
    match (known, form) {
        (Ok(entity), Some(kind)) if whole => Some(ResolvedNames { entity, kind, carried }),
        _ => None,
    }
}

fn check_kind(cx: Cx<'_>, input: &MissionInput, named: &ResolvedNames<'_>, at: &At, findings: &mut Findings<'_>) {
    let kind_name = quote(named.kind.as_str());
    if !named.carried.contains(&named.kind) {
        let message = format!("{kind_name} is not carried by slot {}", quote(&input.slot));
        let kinds: Vec<String> = named.carried.iter().map(|kind| quote(kind.as_str())).collect();
        let finding = Finding::error(at.key("slot"), codes::KIND_NOT_CARRIED_BY_SLOT, message);
        findings.add(finding.help(format!("it carries {}", kinds.join(", "))));
    }
    let by_name = kinds_of_path(cx.catalog, &input.path);
    let format = cx.catalog.kind(named.kind.as_str()).map(|kind| kind.format);
    if let Some(first) = by_name.first().filter(|_| by_name.iter().all(|known| Some(known.format) != format)) {
        let message = format!("{} is named as {}, and is to be {kind_name}", quote(&input.path), first.format.as_str());
        let extension = cx.catalog.kind(named.kind.as_str()).and_then(|kind| kind.extensions.first());
        let name = extension.map_or_else(String::new, |extension| format!("name it `….{extension}`, or "));
        let help = format!("{name}name the kind of the file under `kind_key`");
        findings.add(Finding::error(at.key("path"), codes::OTHER_EXTENSION, message).help(help));
    }
}

fn check_fields(input: &MissionInput, entity: &Entity, at: &At, findings: &mut Findings<'_>) {
    let declared = [("fields", &input.fields, codes::UNKNOWN_COLUMN), ("grain", &input.grain, codes::BAD_GRAIN_FIELDS)];
    for (part, fields, code) in declared {
        for (number, field) in fields.iter().enumerate() {
            let known = entity.fields.contains(field) || entity.open || part == "grain" && input.fields.contains(field);
            if !known {
                let message = format!("{} is not a field of {}", quote(field), quote(entity.id.as_str()));
                findings.add(Finding::error(at.key(part).item(number), code, message).help(fields_of(field, entity)));
            }
        }
    }
}

fn output(cx: Cx<'_>, input: &MissionInput, named: ResolvedNames<'_>, position: usize, at: At) -> Output {
    let ResolvedNames { entity, kind, .. } = named;
    let profile = cx.catalog.profile_for(entity.id.as_str(), kind.as_str());
    Output {
        position,
        at,
        slot: input.slot.clone(),
        entity: entity.id.clone(),
        profile: profile.map(|profile| profile.profile_id.clone()),
        kind,
        path: WorkPath::read(&input.path).map_or_else(|_| input.path.clone(), |path| path.text),
        role: OutputRole::Intermediate,
        fields: Arc::new(input.fields.iter().cloned().collect()),
        grain: match input.grain.is_empty() {
            true if entity.id.is_generic() => Arc::default(),
            true => Arc::clone(&entity.grain),
            false => Arc::new(input.grain.iter().cloned().collect()),
        },
        provenance: Vec::new(),
        derived: None,
        flawed: false,
    }
}
