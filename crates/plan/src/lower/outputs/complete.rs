//! The columns of an output by meaning: all that its entity requires, and those that say where a row came from.

use crate::lower::cx::DeclaredOutput;
use crate::lower::findings::{Finding, Findings};
use deed_catalog::{Entity, grouped_id};
use deed_diag::{codes, quote};
use deed_model::{Kind, KindShape, PolicyRules, ProvenanceDemand};
use std::collections::BTreeSet;

/// If columns are listed, they have to be all that the entity requires and all that the output names elsewhere.
pub(super) fn check_listed(declared: DeclaredOutput<'_>, entity: &Entity, findings: &mut Findings<'_>) {
    let (output, at) = (declared.authored, declared.at());
    if output.fields.is_empty() {
        return;
    }
    let listed = [
        ("grain", &output.grain, codes::BAD_GRAIN_FIELDS),
        ("provenance_fields", &output.provenance_fields, codes::UNKNOWN_COLUMN),
    ];
    for (part, fields, code) in listed {
        for (number, field) in fields.iter().enumerate().filter(|(_, field)| !output.fields.contains(field)) {
            let message =
                format!("{} is not among the columns that output {} lists", quote(field), quote(&output.slot));
            findings.add(Finding::error(at.key(part).item(number), code, message).help("list it under `fields`"));
        }
    }
    let missing = entity.required.iter().filter(|field| !output.fields.contains(field));
    let missing: Vec<String> = missing.map(|field| quote(field)).collect();
    if missing.is_empty() {
        return;
    }
    let message = format!(
        "{} requires {}, which output {} does not list",
        quote(entity.id.as_str()),
        missing.join(", "),
        quote(&output.slot)
    );
    let grain: BTreeSet<String> = output.grain.iter().cloned().collect();
    let groups = (!grain.is_empty() && grain != *entity.grain).then(|| grouped_id(&entity.id, &output.grain)).flatten();
    let help = match groups {
        Some(groups) => format!("name `{groups}` for groups of such rows, or add the columns"),
        None => "add them, or name another entity".to_owned(),
    };
    findings.add(Finding::error(at.key("fields"), codes::COLUMN_MISSING, message).help(help));
}

/// Returns the fields that say where rows came from, which the policy may ask for.
pub(super) fn provenance(
    declared: DeclaredOutput<'_>,
    entity: &Entity,
    kind: &Kind,
    grain: &BTreeSet<String>,
    rules: PolicyRules,
    findings: &mut Findings<'_>,
) -> Vec<String> {
    let output = declared.authored;
    let fields = match output.provenance_fields.is_empty() {
        true => {
            let own = entity.provenance_fields().into_iter();
            own.filter(|field| output.fields.is_empty() || output.fields.contains(field)).collect()
        }
        false => output.provenance_fields.clone(),
    };
    let rows = kind.shape == KindShape::Rows;
    if rows {
        check_own_keys(declared, entity, grain, findings);
    }
    if rows && fields.is_empty() && rules.provenance == ProvenanceDemand::Required {
        let (slot, entity) = (quote(&output.slot), quote(entity.id.as_str()));
        let message = format!("the policy asks where each row of {slot} came from, and {entity} has no field for it");
        let help = "name the fields under `provenance_fields`, or give an entity that has `source_ids`";
        findings.add(Finding::error(declared.at(), codes::PROVENANCE_MISSING, message).help(help));
    }
    fields
}

/// A field by which rows are told apart names the row itself, and not where it came from.
fn check_own_keys(
    declared: DeclaredOutput<'_>,
    entity: &Entity,
    grain: &BTreeSet<String>,
    findings: &mut Findings<'_>,
) {
    let is_key =
        |field: &String| grain.contains(field) || entity.keys.iter().any(|key| key == std::slice::from_ref(field));
    for (number, field) in declared.authored.provenance_fields.iter().enumerate() {
        // A field that is made for it may be part of the grain, such as one row for each source.
        if is_key(field) && !Entity::says_provenance(field) {
            let message = format!("{} tells rows apart, and does not say where they came from", quote(field));
            let at = declared.at().key("provenance_fields").item(number);
            let help = "name a field that holds the source of the row, such as `source_ids`";
            findings.add(Finding::error(at, codes::PROVENANCE_MISSING, message).help(help));
        }
    }
}
