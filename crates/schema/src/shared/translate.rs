//! Replaces references, and unions if they are separate, by keywords of Deed.

use super::{ALL_KEYWORDS, ANY, ONE as EXACTLY_ONE, REFERENCE};
use crate::spot::Spot;
use crate::subschemas::{MANY, NAMED, ONE};
use serde_json::{Map, Value, json};

/// Stores the variants of a union and returns their address.
pub(super) type Keep<'k> = dyn FnMut(bool, Vec<Value>) -> String + 'k;

/// Translates a schema; with `keep` its unions become separate.
pub(super) fn translated(spot: &Spot<'_>, keep: &mut Option<&mut Keep<'_>>) -> Value {
    let Some(map) = spot.value().as_object() else { return spot.value().clone() };
    let mut out = Map::new();
    if let Some(reference) = spot.value().get("$ref").and_then(Value::as_str) {
        // A reference that does not resolve makes the schema unsound, which is checked before it is used.
        let address = spot.address().unwrap_or_else(|| reference.to_owned());
        out.insert(REFERENCE.to_owned(), json!(address));
        if !spot.dialect().reference_has_siblings() {
            return Value::Object(out);
        }
    }
    for (key, value) in map {
        let key = key.as_str();
        let translated: Value = match key {
            "$ref" | "$id" | "id" | "$schema" | "$anchor" | "$defs" | "definitions" | "components" => continue,
            // In a schema from outside, the names of our keywords have no meaning.
            _ if ALL_KEYWORDS.contains(&key) => continue,
            _ if NAMED.contains(&key) => match value.as_object() {
                Some(named) => named.iter().map(|(name, child)| (name.clone(), inner(spot, child, keep))).collect(),
                None => value.clone(),
            },
            _ if MANY.contains(&key) && value.is_array() => {
                let list: Vec<Value> =
                    value.as_array().into_iter().flatten().map(|child| inner(spot, child, keep)).collect();
                match (key, keep.as_mut()) {
                    ("anyOf" | "oneOf", Some(keep)) if !list.is_empty() => {
                        let only = key == "oneOf";
                        let address = keep(only, list);
                        out.insert(if only { EXACTLY_ONE } else { ANY }.to_owned(), json!(address));
                        continue;
                    }
                    _ => Value::Array(list),
                }
            }
            _ if ONE.contains(&key) => inner(spot, value, keep),
            _ => value.clone(),
        };
        out.insert(key.to_owned(), translated);
    }
    Value::Object(out)
}

fn inner<'s>(spot: &Spot<'s>, child: &'s Value, keep: &mut Option<&mut Keep<'_>>) -> Value {
    if child.is_object() { translated(&spot.within(child), keep) } else { child.clone() }
}

/// The addresses that a translated schema refers to.
pub(super) fn addresses(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if let Some(address) = map.get(REFERENCE).and_then(Value::as_str) {
                found.push(address.to_owned());
            }
            map.values().for_each(|child| addresses(child, found));
        }
        Value::Array(items) => items.iter().for_each(|child| addresses(child, found)),
        _ => {}
    }
}
