//! The words of a schema about a field: its description, and the texts that it gives as patterns, defaults and
//! examples.

use deed_canon::Pointer;
use serde_json::Value;

/// References that are followed on the way to one place.
const MOST_REFERENCES: usize = 32;

/// The words of a schema about a place.
#[derive(Debug, Default)]
pub(crate) struct About<'s> {
    /// Its title and description.
    pub(crate) description: String,
    schemas: Vec<&'s Value>,
}

impl About<'_> {
    /// Whether the schema gives a text as a default, an example or a choice, or has a pattern, which the text matched.
    pub(crate) fn allows_text(&self, text: &str) -> bool {
        self.names_text(text) || self.schemas.iter().any(|schema| schema.get("pattern").is_some_and(Value::is_string))
    }

    /// Whether the schema wants all of a text: it gives it, or a pattern which describes texts to their end.
    pub(crate) fn allows_all_of(&self, text: &str) -> bool {
        let to_end = |pattern: &str| pattern.starts_with('^') && pattern.ends_with('$');
        let patterns = self.schemas.iter().filter_map(|schema| schema.get("pattern")?.as_str());
        self.names_text(text) || patterns.into_iter().any(to_end)
    }

    /// Whether the schema gives a text as a default, an example or a choice.
    pub(crate) fn names_text(&self, text: &str) -> bool {
        self.schemas.iter().any(|schema| {
            let is_it = |value: &Value| value.as_str() == Some(text);
            let given = ["default", "example", "const"].iter().filter_map(|name| schema.get(name)).any(is_it);
            let listed = ["examples", "enum"].iter().filter_map(|name| schema.get(name)).filter_map(Value::as_array);
            given || listed.flatten().any(is_it)
        })
    }

    /// The one schema of the place, if no reference and no choice among several leads to it.
    pub(crate) fn only(&self) -> Option<&Value> {
        match self.schemas.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether the schema gives a default.
    pub(crate) fn has_default(&self) -> bool {
        self.schemas.iter().any(|schema| schema.get("default").is_some())
    }
}

/// Collects what a schema says of a place of the payload, along `properties`, `items` and local references.
pub(crate) fn about<'s>(schema: &'s Value, at: &str) -> About<'s> {
    let mut here = alternatives(schema, vec![schema]);
    for name in Pointer::tokens(at) {
        let next: Vec<&Value> = here.iter().flat_map(|part| beneath(part, &name)).collect();
        here = alternatives(schema, next);
    }
    let described = here.iter().flat_map(|part| ["title", "description"].iter().filter_map(|name| part.get(name)));
    let description: Vec<&str> = described.filter_map(Value::as_str).collect();
    About { description: description.join("; "), schemas: here }
}

/// The parts of a schema for what stands under a key or index.
fn beneath<'s>(schema: &'s Value, name: &str) -> Vec<&'s Value> {
    if let Some(found) = schema.get("properties").and_then(|properties| properties.get(name)) {
        return vec![found];
    }
    let index = name.parse::<usize>().ok();
    let of_tuple = index.and_then(|index| schema.get("prefixItems")?.get(index));
    let item = || index.and_then(|_| schema.get("items").filter(|items| items.is_object()));
    let other = || schema.get("additionalProperties").filter(|other| other.is_object());
    of_tuple.or_else(item).or_else(other).into_iter().collect()
}

/// Parts of a schema with those that they refer to and choose among.
fn alternatives<'s>(root: &'s Value, parts: Vec<&'s Value>) -> Vec<&'s Value> {
    let mut found: Vec<&Value> = Vec::new();
    let mut open = parts;
    while let Some(part) = open.pop() {
        if found.len() >= MOST_REFERENCES {
            break;
        }
        let reference =
            part.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.strip_prefix('#')?));
        open.extend(reference);
        for keyword in ["allOf", "anyOf", "oneOf"] {
            open.extend(part.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
        found.push(part);
    }
    found
}
