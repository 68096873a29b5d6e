//! Keywords that the version of a description does not have: no reader of the version holds a value to them.

use super::operation::Operation;
use crate::dialect::Dialect;
use crate::subschemas::{MANY, NAMED, ONE};
use deed_canon::Pointer;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Keywords of JSON Schema that came after the draft that OpenAPI 2.0 and 3.0 are built on, and that admit less.
const LATER: [&str; 16] = [
    "const",
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
    "additionalItems",
    "patternProperties",
    "propertyNames",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// A keyword that the version of a description does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignKeyword {
    /// Its place in the description, as a JSON pointer.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
}

/// Returns the foreign keywords in the schemas of a request, by place.
pub(super) fn of_request(document: &Value, dialect: Dialect, operation: &Operation) -> Vec<ForeignKeyword> {
    if !matches!(dialect, Dialect::OpenApi20 | Dialect::OpenApi30) {
        return Vec::new();
    }
    let mut walk = Walk { document, passed: BTreeSet::new(), found: BTreeSet::new() };
    for parameter in &operation.parameters {
        // A parameter of 3.0 has a schema, one of 2.0 is one.
        let own = format!("{parameter}/schema");
        let at = if document.pointer(&own).is_some() { own } else { parameter.clone() };
        walk.schema(&at);
    }
    operation.body.iter().for_each(|body| walk.schema(body));
    walk.found.into_iter().collect()
}

struct Walk<'d> {
    document: &'d Value,
    passed: BTreeSet<String>,
    found: BTreeSet<ForeignKeyword>,
}

impl Walk<'_> {
    fn schema(&mut self, at: &str) {
        if !self.passed.insert(at.to_owned()) {
            return;
        }
        let Some(map) = self.document.pointer(at).and_then(Value::as_object) else { return };
        if let Some(target) = map.get("$ref").and_then(Value::as_str) {
            // What stands beside a reference has no effect in these versions, and what is elsewhere is refused.
            if let Some(pointer) = target.strip_prefix('#') {
                self.schema(pointer);
            }
            return;
        }
        for keyword in map.keys().filter(|keyword| LATER.contains(&keyword.as_str())) {
            self.found.insert(ForeignKeyword { pointer: Pointer::push(at, keyword), keyword: keyword.clone() });
        }
        self.within(map, at);
    }

    fn within(&mut self, map: &Map<String, Value>, at: &str) {
        for (keyword, value) in map.iter().filter(|(keyword, _)| !LATER.contains(&keyword.as_str())) {
            let own = Pointer::push(at, keyword);
            match value {
                Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                    named.keys().for_each(|name| self.schema(&Pointer::push(&own, name)));
                }
                Value::Object(_) if ONE.contains(&keyword.as_str()) => self.schema(&own),
                Value::Array(items) if MANY.contains(&keyword.as_str()) => {
                    (0..items.len()).for_each(|index| self.schema(&format!("{own}/{index}")));
                }
                _ => {}
            }
        }
    }
}
