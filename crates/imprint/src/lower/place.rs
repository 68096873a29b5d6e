//! Inserts values that the system supplies, and text in place of JSON.

use super::Supplied;
use super::finding::Finding;
use super::walk::Notes;
use crate::imprint::Imprint;
use crate::reach::Special;
use crate::template::NodeId;
use deed_canon::{Pointer, canonical_string};
use deed_diag::{codes, quote};
use deed_schema::ViolationKind;
use serde_json::Value;

/// Inserts empty objects that the schema requires, outer ones before inner ones.
pub(super) fn hollow(imprint: &Imprint, payload: &mut Value, notes: &Notes) {
    for _ in 0..notes.hollow.len() {
        // A schema that cannot decide is reported when the payload is judged.
        let Ok(violations) = imprint.schema.violations(payload) else { return };
        let missing = violations.iter().filter(|violation| violation.kind == ViolationKind::Missing);
        let places: Vec<String> = missing.filter_map(|v| Some(Pointer::push(&v.pointer, v.key.as_deref()?))).collect();
        let mut put = false;
        for (pointer, empty) in notes.hollow.iter().filter(|(pointer, _)| places.contains(pointer)) {
            put |= insert(payload, pointer, empty);
        }
        if !put {
            return;
        }
    }
}

/// Inserts values that were supplied for places whose token was left out.
pub(super) fn supply(imprint: &Imprint, payload: &mut Value, supplied: &Supplied, notes: &mut Notes) {
    for (pointer, value) in supplied {
        if notes.placed.contains(pointer) {
            continue;
        }
        if !takes(imprint, payload, pointer) || !insert(payload, pointer, value) {
            let finding = Finding::new(
                codes::SUPPLIED_FOR_NO_PLACE,
                String::new(),
                format!(
                    "a value was supplied for {}, which is not an `AUTO` place of the filled template",
                    quote(pointer)
                ),
            );
            notes.findings.push(finding.help("supply values for `{AUTO…}` places alone"));
        }
        notes.autos.insert(pointer.clone());
    }
}

/// Returns true if a place of the payload is one that the system supplies.
pub(super) fn takes(imprint: &Imprint, payload: &Value, pointer: &str) -> bool {
    let (special, nodes) = imprint.reach.root(&imprint.template);
    takes_at(imprint, payload, pointer, special, nodes)
}

fn takes_at(
    imprint: &Imprint,
    value: &Value,
    pointer: &str,
    mut special: Option<Special>,
    mut nodes: Vec<NodeId>,
) -> bool {
    static NOTHING: Value = Value::Null;
    let mut value = value;
    for name in Pointer::tokens(pointer) {
        (special, nodes) = match value {
            Value::Array(_) => match name.parse::<usize>() {
                Ok(index) => imprint.reach.item(&imprint.template, &nodes, value, index),
                Err(_) => return false,
            },
            _ => imprint.reach.key(&imprint.template, &nodes, value, &name),
        };
        value = match value {
            Value::Array(items) => name.parse::<usize>().ok().and_then(|index| items.get(index)).unwrap_or(&NOTHING),
            other => other.get(&name).unwrap_or(&NOTHING),
        };
    }
    special == Some(Special::Auto)
}

/// Inserts values that were supplied for places within a text before it is serialized, and returns their pointers.
pub(super) fn within(
    imprint: &Imprint,
    value: &mut Value,
    nodes: &[NodeId],
    at: &str,
    supplied: &Supplied,
) -> Vec<String> {
    let mut placed = Vec::new();
    for (pointer, supplied) in supplied {
        let Some(inner) = pointer.strip_prefix(at).filter(|inner| inner.starts_with('/')) else { continue };
        if takes_at(imprint, value, inner, None, nodes.to_vec()) && insert(value, inner, supplied) {
            placed.push(pointer.clone());
        }
    }
    placed
}

fn insert(payload: &mut Value, pointer: &str, value: &Value) -> bool {
    let Some((parent, last)) = pointer.rsplit_once('/') else { return false };
    let Some(Value::Object(map)) = payload.pointer_mut(parent) else { return false };
    map.insert(Pointer::unescape(last), value.clone());
    true
}

/// Writes the places that the API wants as text, once the payload is known to be valid.
pub(super) fn serialize(imprint: &Imprint, payload: &mut Value, notes: &mut Notes) {
    for pointer in imprint.serialized() {
        // An optional place may be absent.
        let Some(value) = payload.pointer_mut(pointer).filter(|value| !value.is_string()) else { continue };
        match canonical_string(value) {
            Ok(text) => *value = Value::String(text),
            Err(error) => notes.findings.push(Finding::new(
                codes::TEXT_OF_WRONG_FORM,
                notes.source(pointer),
                format!("it cannot be written as text: {error}"),
            )),
        }
    }
}
