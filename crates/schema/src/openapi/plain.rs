//! Translates the schemas of a description to plain JSON Schema.
//!
//! `nullable: true` admits null whatever else the schema says: descriptions use it beside `enum`, `allOf` and
//! `$ref` alike, where the letter of the specification would give it no effect. A property that is `readOnly`
//! is not sent, so a request cannot be asked to have it.

use super::Moved;
use crate::dialect::Dialect;
use crate::subschemas::{MANY, NAMED, ONE};
use deed_canon::Pointer;
use serde_json::{Map, Value, json};
use std::cell::RefCell;

/// The description, and the properties of its version.
struct Root<'d> {
    document: &'d Value,
    /// 3.1 has no `nullable`: null is a type like any other.
    null_by_type: bool,
    /// Schemas that were put into a union with null.
    moved: RefCell<Moved>,
}

/// Translates a description; also returns the schemas that moved.
pub(super) fn translate(document: &Value, dialect: Dialect) -> (Value, Moved) {
    let root = Root { document, null_by_type: dialect == Dialect::OpenApi31, moved: RefCell::default() };
    let plain = everywhere(&root, document, "");
    (plain, root.moved.into_inner())
}

/// Finds the schemas: under `schema`, and in the named collections.
fn everywhere(root: &Root<'_>, value: &Value, at: &str) -> Value {
    match value {
        Value::Object(map) => {
            let translated = map.iter().map(|(key, child)| {
                let at = Pointer::push(at, key);
                let child = match key.as_str() {
                    "schema" if child.is_object() => schema(root, child, &at),
                    "schemas" | "definitions" => named(root, child, &at),
                    "example" | "examples" | "default" => child.clone(),
                    _ => everywhere(root, child, &at),
                };
                (key.clone(), child)
            });
            Value::Object(translated.collect())
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            Value::Array(items.map(|(index, item)| everywhere(root, item, &format!("{at}/{index}"))).collect())
        }
        other => other.clone(),
    }
}

fn named(root: &Root<'_>, value: &Value, at: &str) -> Value {
    match value.as_object() {
        Some(map) => {
            let one = |(key, child): (&String, &Value)| (key.clone(), schema(root, child, &Pointer::push(at, key)));
            Value::Object(map.iter().map(one).collect())
        }
        None => value.clone(),
    }
}

fn schema(root: &Root<'_>, value: &Value, at: &str) -> Value {
    let Some(map) = value.as_object() else {
        return value.clone();
    };
    let mut plain = Map::new();
    for (key, child) in map {
        let within = Pointer::push(at, key);
        let child = match key.as_str() {
            keyword if NAMED.contains(&keyword) || keyword == "$defs" => named(root, child, &within),
            "type" if child.as_str() == Some("file") => json!("string"),
            "required" if !child.is_array() => continue,
            "required" => json!(sent(root, map, child)),
            "nullable" if root.null_by_type => child.clone(),
            "nullable" | "example" | "xml" | "externalDocs" | "discriminator" => continue,
            keyword if ONE.contains(&keyword) && !child.is_array() => schema(root, child, &within),
            keyword if MANY.contains(&keyword) => match child.as_array() {
                Some(items) => {
                    let items = items.iter().enumerate();
                    items.map(|(index, item)| schema(root, item, &format!("{within}/{index}"))).collect()
                }
                None => child.clone(),
            },
            _ => child.clone(),
        };
        plain.insert(key.clone(), child);
    }
    if plain.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        plain.remove("required");
    }
    let nullable = !root.null_by_type
        && map.get("nullable").or_else(|| map.get("x-nullable")).and_then(Value::as_bool) == Some(true);
    match (nullable, Value::Object(plain)) {
        (true, plain) => {
            root.moved.borrow_mut().add(at);
            json!({ "anyOf": [{ "type": "null" }, plain] })
        }
        (false, plain) => plain,
    }
}

/// The required names that a request sends.
fn sent(root: &Root<'_>, map: &Map<String, Value>, required: &Value) -> Vec<Value> {
    let properties = map.get("properties").and_then(Value::as_object);
    let read_only = |name: &Value| {
        let property = name.as_str().and_then(|name| properties.and_then(|p| p.get(name)));
        let target = property.and_then(|p| p.get("$ref")).and_then(Value::as_str);
        let target = target.and_then(|r| r.strip_prefix('#')).and_then(|pointer| root.document.pointer(pointer));
        let says =
            |schema: Option<&Value>| schema.and_then(|s| s.get("readOnly")).and_then(Value::as_bool) == Some(true);
        says(property) || says(target)
    };
    required.as_array().into_iter().flatten().filter(|name| name.is_string() && !read_only(name)).cloned().collect()
}
