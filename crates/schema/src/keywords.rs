//! The keywords of a schema that no dialect knows: a misspelt one has no effect, and no validator says so.

use crate::subschemas::{MANY, NAMED, ONE};
use deed_canon::Pointer;
use deed_diag::nearest;
use serde_json::Value;

/// Keywords that state something about a value, besides those under which a schema has subschemas.
const ASSERTING: [&str; 31] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "format",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
    "contentEncoding",
    "contentMediaType",
    "nullable",
    "readOnly",
    "writeOnly",
    "divisibleBy",
    "discriminator",
];

/// Keywords that state nothing about a value.
const ANNOTATING: [&str; 18] = [
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$vocabulary",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "xml",
    "externalDocs",
];

/// A part of a schema that has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdleKeyword {
    /// Its location in the schema, as a JSON pointer.
    pub pointer: String,
    /// The problem with it.
    pub problem: IdleProblem,
}

/// The reason why a part of a schema has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdleProblem {
    /// An unknown keyword is spelled almost like a known one.
    Misspelt {
        /// The keyword as it is written.
        keyword: String,
        /// The known keyword.
        near: &'static str,
    },
    /// The whole schema has keywords, and none of them states anything about a value.
    StatesNothing,
}

/// Finds the keywords of a schema that were probably meant to have an effect, and have none.
#[must_use]
pub fn idle_keywords(schema: &Value) -> Vec<IdleKeyword> {
    let mut found = Vec::new();
    if let Value::Object(map) = schema
        && !map.is_empty()
        && !map.keys().any(|keyword| asserts(keyword))
    {
        found.push(IdleKeyword { pointer: String::new(), problem: IdleProblem::StatesNothing });
    }
    misspelt(schema, "", &mut found);
    found
}

fn asserts(keyword: &str) -> bool {
    ASSERTING.contains(&keyword) || ONE.contains(&keyword) || MANY.contains(&keyword) || NAMED.contains(&keyword)
}

/// Collects misspelt keywords in the order of the schema. Schemas are nested at most so deep as a reader allows.
fn misspelt(schema: &Value, at: &str, found: &mut Vec<IdleKeyword>) {
    let Some(map) = schema.as_object() else { return };
    for (keyword, child) in map {
        let (keyword, here) = (keyword.as_str(), Pointer::push(at, keyword));
        let by_name = NAMED.contains(&keyword) || keyword == "$defs" || keyword == "definitions";
        match child {
            Value::Object(named) if by_name => {
                named.iter().for_each(|(name, child)| misspelt(child, &Pointer::push(&here, name), found));
            }
            Value::Array(items) if MANY.contains(&keyword) => {
                let items = items.iter().enumerate();
                items.for_each(|(index, item)| misspelt(item, &Pointer::push(&here, &index.to_string()), found));
            }
            child if ONE.contains(&keyword) => misspelt(child, &here, found),
            _ if asserts(keyword) || ANNOTATING.contains(&keyword) || keyword.starts_with("x-") => {}
            _ => {
                let known = ASSERTING.into_iter().chain(ONE).chain(MANY).chain(NAMED).chain(ANNOTATING);
                if let Some(near) = nearest(keyword, known) {
                    let problem = IdleProblem::Misspelt { keyword: keyword.to_owned(), near };
                    found.push(IdleKeyword { pointer: here, problem });
                }
            }
        }
    }
}
