//! What the mission is given, held to the same as what steps give.

use super::names::{entity, kind, slot};
use crate::codes::{BAD_GRAIN, KIND_UNCLEAR, NOT_CARRIED, OTHER_EXTENSION, PACK_NOT_NAMED, UNKNOWN_COLUMN};
use crate::lower::state::{Lowering, Output};
use crate::path::WorkPath;
use deed_catalog::{Entity, PackKind, kind_of_path, kinds_of_path};
use deed_diag::{Severity, did_you_mean, quote};
use deed_model::{KindKey, MissionInput, OutputRole};
use std::sync::Arc;

/// What the mission is given is held to the same as what steps give.
fn whole(
    lowering: &mut Lowering<'_>,
    input: &MissionInput,
    entity: &Entity,
    form: &KindKey,
    possible: &[KindKey],
    at: &str,
) {
    let (plan, catalog) = (lowering.plan, lowering.catalog);
    if !possible.contains(form) {
        let message = format!("{} is not carried by slot {}", quote(form.as_str()), quote(&input.slot));
        let kinds: Vec<String> = possible.iter().map(|kind| quote(kind.as_str())).collect();
        let help = Some(format!("it carries {}", kinds.join(", ")));
        lowering.say(Severity::Error, NOT_CARRIED, &format!("{at}/slot"), message, help);
    }
    let by_name = kinds_of_path(catalog, &input.path);
    let format = catalog.kind(form.as_str()).map(|kind| kind.format);
    if !by_name.is_empty() && by_name.iter().all(|known| Some(known.format) != format) {
        let named = by_name.first().map_or("", |known| known.format.as_str());
        let message = format!("{} is named as {named}, and is to be {}", quote(&input.path), quote(form.as_str()));
        lowering.say(Severity::Error, OTHER_EXTENSION, &format!("{at}/path"), message, None);
    }
    let defining = catalog.defined_by(entity.id.as_str());
    let domains = || plan.domain_pack_ids.iter().chain(plan.steps.iter().flat_map(|step| &step.domain_pack_ids));
    let workflows = || plan.workflow_pack_ids.iter().chain(plan.steps.iter().flat_map(|step| &step.workflow_pack_ids));
    let named = defining.iter().any(|(kind, pack)| match kind {
        PackKind::Workflow => workflows().any(|id| id == pack),
        PackKind::Domain | PackKind::Generic => domains().any(|id| id == pack),
    });
    if let (false, false, Some((kind, pack))) = (named, entity.id.is_generic(), defining.first()) {
        let message = format!(
            "{} is defined by {} pack {}, which is not named",
            quote(entity.id.as_str()),
            kind.as_str(),
            quote(pack)
        );
        let help = Some(format!("add `{pack}` to `{}_pack_ids` of the plan", kind.as_str()));
        lowering.say(Severity::Error, PACK_NOT_NAMED, &format!("{at}/entity_schema_id"), message, help);
    }
    let declared = [("fields", &input.fields, UNKNOWN_COLUMN), ("grain", &input.grain, BAD_GRAIN)];
    for (part, fields, code) in declared {
        for (number, field) in fields.iter().enumerate() {
            let known = entity.fields.contains(field) || entity.open || part == "grain" && input.fields.contains(field);
            if !known {
                let message = format!("{} is no field of {}", quote(field), quote(entity.id.as_str()));
                let help = did_you_mean(field, entity.fields.iter().map(String::as_str));
                lowering.say(Severity::Error, code, &format!("{at}/{part}/{number}"), message, help);
            }
        }
    }
}

/// What the mission is given.
pub(super) fn given(lowering: &mut Lowering<'_>) {
    let (plan, catalog) = (lowering.plan, lowering.catalog);
    for (position, input) in plan.inputs.iter().enumerate() {
        let at = format!("/inputs/{position}");
        let mut faults = Vec::new();
        if let Err(fault) = slot(catalog, &input.slot) {
            faults.push(("/slot", fault));
        }
        let known = entity(catalog, &input.entity_schema_id).map_err(|fault| faults.push(("/entity_schema_id", fault)));
        let possible = catalog.slot(&input.slot).map(|slot| slot.kinds.clone()).unwrap_or_default();
        let form = match &input.kind_key {
            Some(text) => kind(catalog, text).map_err(|fault| faults.push(("/kind_key", fault))).ok(),
            None => kind_of_path(catalog, &input.path, &possible),
        };
        let refused = !faults.is_empty();
        for (part, fault) in faults {
            lowering.say(Severity::Error, fault.code, &format!("{at}{part}"), fault.message, fault.help);
        }
        if refused || form.is_none() {
            lowering.given_in_doubt.insert(input.entity_schema_id.clone());
        }
        let Ok(known) = known else { continue };
        if refused {
            continue;
        }
        let Some(form) = form else {
            if input.kind_key.is_none() {
                let message = format!("the kind of {} is not plain from its name", quote(&input.path));
                let help = Some("name it under `kind_key`".to_owned());
                lowering.say(Severity::Error, KIND_UNCLEAR, &format!("{at}/path"), message, help);
            }
            continue;
        };
        whole(lowering, input, known, &form, &possible, &at);
        let path = WorkPath::read(&input.path).map_or_else(|_| input.path.clone(), |path| path.text);
        let grain = match input.grain.is_empty() {
            true if known.id.is_generic() => Arc::default(),
            true => Arc::clone(&known.grain),
            false => Arc::new(input.grain.iter().cloned().collect()),
        };
        let profile = catalog.profile_for(known.id.as_str(), form.as_str()).map(|profile| profile.profile_id.clone());
        lowering.given.push(Output {
            slot: input.slot.clone(),
            entity: known.id.clone(),
            kind: form,
            profile,
            path,
            role: OutputRole::Intermediate,
            fields: Arc::new(input.fields.iter().cloned().collect()),
            grain,
            provenance: Vec::new(),
            derived: None,
            at,
            used: false,
            flawed: false,
        });
    }
}
