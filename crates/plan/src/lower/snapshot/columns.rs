//! Columns and grain that a plan names, compared with an entity.

use crate::lower::findings::{At, Finding, Findings};
use deed_catalog::Entity;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::PolicyRules;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most fields of an entity that are listed.
const MOST_LISTED: usize = 20;

/// Help for a name that is not a field of an entity: the nearest one, or all of them.
pub(super) fn fields_of(unknown: &str, entity: &Entity) -> String {
    did_you_mean(unknown, entity.fields.iter().map(String::as_str)).unwrap_or_else(|| {
        let fields: Vec<&str> = entity.fields.iter().map(String::as_str).take(MOST_LISTED).collect();
        let more = if entity.fields.len() > MOST_LISTED { ", …" } else { "" };
        format!("its fields are {}{more}", fields.join(", "))
    })
}

/// Columns have to be fields of the entity, unless the policy lets others in.
pub(in crate::lower) fn check_columns(
    rules: PolicyRules,
    entity: &Entity,
    fields: &[String],
    at: &At,
    findings: &mut Findings<'_>,
) {
    // A closed entity refuses other columns when the file is checked, unless that check only reports.
    if entity.open || rules.unknown_columns && rules.allows_generic() {
        return;
    }
    for (position, field) in fields.iter().enumerate() {
        if !entity.fields.contains(field) {
            let message = format!("{} is not a field of {}", quote(field), quote(entity.id.as_str()));
            let help = did_you_mean(field, entity.fields.iter().map(String::as_str));
            let help = help.unwrap_or_else(|| format!("`deed catalog show {}` lists its fields", entity.id));
            findings.add(Finding::error(at.item(position), codes::UNKNOWN_COLUMN, message).help(help));
        }
    }
}

/// The fields that tell rows apart: as declared, or as the entity has them.
pub(in crate::lower) fn grain(
    entity: &Entity,
    declared: &[String],
    fields: &[String],
    at: &At,
    findings: &mut Findings<'_>,
) -> Arc<BTreeSet<String>> {
    if declared.is_empty() {
        return Arc::clone(&entity.grain);
    }
    for (position, field) in declared.iter().enumerate() {
        if !entity.fields.contains(field) && !fields.contains(field) {
            let (field_name, entity_name) = (quote(field), quote(entity.id.as_str()));
            let message = format!("rows cannot be told apart by {field_name}, which is not a field of {entity_name}");
            let help = did_you_mean(field, entity.fields.iter().map(String::as_str));
            findings.add(Finding::error(at.item(position), codes::BAD_GRAIN_FIELDS, message).help_opt(help));
        }
    }
    Arc::new(declared.iter().cloned().collect())
}
