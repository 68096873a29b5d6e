//! The keys and measures that an input groups or joins by, compared with the entity of its rows.

use super::columns::fields_of;
use crate::lower::cx::Input;
use crate::lower::findings::{At, Finding, Findings};
use deed_catalog::Entity;
use deed_diag::{codes, quote};
use deed_model::{AdapterSettings, Measure, MeasureKind};
use std::collections::BTreeSet;

/// Checks the settings of `adapt`, and returns the keys; none if the input names none.
pub(super) fn resolve(entity: &Entity, input: Input<'_>, findings: &mut Findings<'_>) -> Option<BTreeSet<String>> {
    let adapt = input.authored.adapt.as_ref()?;
    let at = input.at().key("adapt");
    if adapt.keys.is_empty() {
        let message = "there are no keys to group or join by";
        let finding = Finding::error(at.key("keys"), codes::ADAPTER_NEEDS_KEYS, message);
        findings.add(finding.help("name at least one field"));
        return None;
    }
    fields(entity, input, adapt, &at, findings);
    for (number, key) in adapt.keys.iter().enumerate().filter(|(_, key)| entity.is_composite(key) == Some(true)) {
        let message = format!("{} holds lists or objects, and rows cannot be told apart by it", quote(key));
        let finding = Finding::error(at.key("keys").item(number), codes::ADAPTER_NEEDS_KEYS, message);
        findings.add(finding.help("name a field of plain values"));
    }
    let mut names: BTreeSet<&String> = BTreeSet::new();
    for (number, key) in adapt.keys.iter().enumerate() {
        if !names.insert(key) {
            let message = format!("{} is named as a key twice", quote(key));
            let finding = Finding::error(at.key("keys").item(number), codes::ADAPTER_NEEDS_KEYS, message);
            findings.add(finding.help("name each key once"));
        }
    }
    for (number, measure) in adapt.measures.iter().enumerate() {
        let at = at.key("measures").item(number);
        if !names.insert(&measure.name) {
            let message = format!("{} is the name of another column of the result", quote(&measure.name));
            let finding = Finding::error(at.key("name"), codes::ADAPTER_NEEDS_KEYS, message);
            findings.add(finding.help("give each a name of its own"));
        }
        if let Some(message) = not_computable(entity, measure) {
            let finding = Finding::error(at.key("field"), codes::ADAPTER_NEEDS_KEYS, message);
            findings.add(finding.help("count it, or take another field"));
        }
    }
    Some(adapt.keys.iter().cloned().collect())
}

/// Keys and measured columns have to be fields of the entity, or listed by the input.
fn fields(entity: &Entity, input: Input<'_>, adapt: &AdapterSettings, at: &At, findings: &mut Findings<'_>) {
    let keys = adapt.keys.iter().enumerate().map(|(number, key)| (at.key("keys").item(number), key));
    let measured = adapt.measures.iter().enumerate();
    let measured = measured.map(|(number, measure)| (at.key("measures").item(number).key("field"), &measure.field));
    let known = |field: &String| entity.open || entity.fields.contains(field) || input.authored.fields.contains(field);
    for (at, field) in keys.chain(measured).filter(|(_, field)| !known(field)) {
        let message = format!("{} is not a field of {}", quote(field), quote(entity.id.as_str()));
        findings.add(Finding::error(at, codes::UNKNOWN_COLUMN, message).help(fields_of(field, entity)));
    }
}

/// Explains why a measure cannot be computed of a column of this type.
fn not_computable(entity: &Entity, measure: &Measure) -> Option<String> {
    match measure.how {
        MeasureKind::Count => None,
        MeasureKind::Min | MeasureKind::Max => (entity.is_ordered(&measure.field) == Some(false))
            .then(|| format!("{} is neither a number nor text, and has no least or greatest", quote(&measure.field))),
        MeasureKind::Sum | MeasureKind::Mean => (entity.is_numeric(&measure.field) == Some(false))
            .then(|| format!("{} is not a number", quote(&measure.field))),
    }
}
