//! Whether a schema has room for a value at a place, its unions opened.
//!
//! What a payload that fits no variant gets wrong is told of the union as a whole, so nothing is said of the places
//! within. Here they are asked one by one: some variant that the rest of the payload does not rule out must allow the
//! value at its place, and the nearest variant may not be farther away than before. What cannot be followed rules
//! nothing out.

use deed_canon::Pointer;
use deed_schema::{Dialect, Schema, Violation};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// References and unions on the way to one place.
const DEEPEST: usize = 64;
/// The address that a schema is given where a part of it is asked alone.
const WHOLE: &str = "deed:///whole";
/// The name of that part.
const PART: &str = "deed-part";

/// Faults of one variant that are counted.
const MOST_FAULTS: usize = 1_000;

/// Whether the value at a place of a payload is allowed there by at least one variant of every union above it, and each
/// of these unions is no worse off than it was.
pub(super) fn allow(schema: &Schema, before: &Value, after: &Value, at: &str) -> bool {
    let way: Vec<String> = Pointer::tokens(at).collect();
    let walk = Walk { root: schema.value(), dialect: schema.dialect() };
    walk.allows(schema.value(), Two { before, after }, &way, DEEPEST)
}

/// A value as it was and as it would be.
#[derive(Clone, Copy)]
struct Two<'v> {
    before: &'v Value,
    after: &'v Value,
}

impl Two<'_> {
    fn step(self, step: &str) -> Option<Self> {
        Some(Self { before: child_value(self.before, step)?, after: child_value(self.after, step)? })
    }
}

struct Walk<'s> {
    root: &'s Value,
    dialect: Dialect,
}

impl<'s> Walk<'s> {
    fn allows(&self, schema: &'s Value, value: Two<'_>, way: &[String], depth: usize) -> bool {
        let Value::Object(keywords) = schema else { return schema != &Value::Bool(false) };
        let Some(depth) = depth.checked_sub(1) else { return true };
        let Some((step, rest)) = way.split_first() else { return self.is_valid(schema, value.after) };
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            let there = self.target(target).is_none_or(|target| self.allows(target, value, way, depth));
            if !there || self.is_old() {
                return there;
            }
        }
        let list = |keyword: &str| keywords.get(keyword).and_then(Value::as_array).map(Vec::as_slice);
        let all = list("allOf").unwrap_or_default().iter().all(|part| self.allows(part, value, way, depth));
        let unions = ["anyOf", "oneOf"].into_iter().filter_map(list).all(|variants| {
            let open: Vec<&Value> = variants.iter().filter(|v| !self.rules_out(v, value.after, step)).collect();
            let open = if open.is_empty() { variants.iter().collect() } else { open };
            open.into_iter().any(|variant| self.allows(variant, value, way, depth)) && self.no_farther(variants, value)
        });
        let branch = |keyword: &str| keywords.get(keyword).is_none_or(|branch| self.allows(branch, value, way, depth));
        let conditions = !keywords.contains_key("if") || branch("then") || branch("else");
        let own = child(keywords, value.after, step).zip(value.step(step));
        all && unions && conditions && own.is_none_or(|(schema, inner)| self.allows(schema, inner, rest, depth))
    }

    /// Whether the nearest variant is at least as near as it was.
    fn no_farther(&self, variants: &[Value], value: Two<'_>) -> bool {
        let variants: Vec<Schema> = variants.iter().filter_map(|variant| self.part(variant)).collect();
        let nearest = |value: &Value| {
            let faults = variants.iter().filter_map(|variant| variant.violations_up_to(value, MOST_FAULTS).ok());
            faults.map(|faults| faults.iter().map(part_of).collect::<HashSet<_>>().len()).min()
        };
        nearest(value.after) <= nearest(value.before)
    }

    /// Whether another key of an object says that it is not of this variant.
    fn rules_out(&self, variant: &'s Value, value: &Value, step: &str) -> bool {
        let variant = match variant.get("$ref").and_then(Value::as_str) {
            Some(target) => self.target(target).unwrap_or(variant),
            None => variant,
        };
        let Some(properties) = variant.get("properties").and_then(Value::as_object) else { return false };
        properties.iter().filter(|(name, _)| *name != step).any(|(name, schema)| {
            let Some(found) = value.get(name) else { return false };
            let other = schema.get("const").is_some_and(|only| only != found);
            other || schema.get("enum").and_then(Value::as_array).is_some_and(|values| !values.contains(found))
        })
    }

    fn target(&self, reference: &str) -> Option<&'s Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    /// Whether nothing counts beside a reference.
    fn is_old(&self) -> bool {
        matches!(self.dialect, Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7)
    }

    /// Whether a value is valid under a part of the schema; true if the part cannot be asked alone.
    fn is_valid(&self, part: &Value, value: &Value) -> bool {
        self.part(part).and_then(|schema| schema.is_valid(value).ok()).unwrap_or(true)
    }

    /// A part of the schema, to be asked alone.
    fn part(&self, part: &Value) -> Option<Schema> {
        let text = part.to_string();
        let refers = ["$ref\"", "$dynamicRef\"", "$recursiveRef\""].iter().any(|keyword| text.contains(keyword));
        let mut schema = if refers { self.within_whole(part)? } else { part.clone() };
        if let (Some(keywords), Some(dialect)) = (schema.as_object_mut(), self.root.get("$schema")) {
            keywords.insert("$schema".to_owned(), dialect.clone());
        }
        Schema::new(schema).ok()
    }

    /// A schema that asks for the part alone, and in which references lead where they do in the whole.
    fn within_whole(&self, part: &Value) -> Option<Value> {
        let parts = if self.is_old() { "definitions" } else { "$defs" };
        let name = if self.dialect == Dialect::Draft4 { "id" } else { "$id" };
        let mut whole = self.root.as_object()?.clone();
        whole.remove("$schema");
        let address = whole.entry(name).or_insert_with(|| json!(WHOLE)).as_str()?.trim_end_matches('#').to_owned();
        whole.entry(parts).or_insert_with(|| json!({})).as_object_mut()?.insert(PART.to_owned(), part.clone());
        // Nothing counts beside a reference in older dialects, so it stands alone in a list.
        let only = json!([{ "$ref": format!("{address}#/{parts}/{PART}") }]);
        Some(json!({ parts: { "whole": whole }, "allOf": only }))
    }
}

/// The part of an object that is wrong: a union within it may say one thing of it or many.
fn part_of(fault: &Violation) -> &str {
    let inner = fault.pointer.split('/').nth(1);
    inner.or(fault.key.as_deref()).unwrap_or(&fault.message)
}

/// The subschema for one step down; none if nothing is said of it.
fn child<'s>(keywords: &'s Map<String, Value>, value: &Value, step: &str) -> Option<&'s Value> {
    if value.is_array() {
        let index = step.parse::<usize>().ok()?;
        let (items, first) = (keywords.get("items"), keywords.get("prefixItems").and_then(Value::as_array));
        return match (first, items) {
            (Some(first), items) => first.get(index).or(items),
            (None, Some(Value::Array(first))) => first.get(index).or_else(|| keywords.get("additionalItems")),
            (None, items) => items,
        };
    }
    let listed = keywords.get("properties").and_then(|properties| properties.get(step));
    let by_form = keywords.get("patternProperties").and_then(Value::as_object).is_some_and(|forms| !forms.is_empty());
    listed.or_else(|| keywords.get("additionalProperties").filter(|_| !by_form))
}

fn child_value<'v>(value: &'v Value, step: &str) -> Option<&'v Value> {
    match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        other => other.get(step),
    }
}
