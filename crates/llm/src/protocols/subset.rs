//! Schemas of replies, fitted to what a provider takes.
//!
//! A schema enters, and leaves as one that admits no reply which the first one refuses, bounds apart: a keyword that the
//! provider would refuse is moved into the description and listed. The reply is checked against the whole schema anyway.

use super::Writing;
use super::draft::Draft;
use crate::provider::{SchemaOutput, SchemaSubset};
use deed_model::ReplyContract;
use serde_json::{Map, Value, json};

/// Keywords that every provider takes as they are.
const PLAIN: [&str; 7] = ["type", "enum", "const", "title", "description", "$ref", "required"];
/// Keywords that only a strict binding takes besides.
const STRICT: [&str; 9] = [
    "pattern",
    "format",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "minItems",
    "maxItems",
];
/// Formats that a binding to structure takes.
const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
/// The longest name that a protocol takes for a schema.
const LONGEST_NAME: usize = 64;

/// The schema that a reply is bound to, as the protocols write it.
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) schema: Value,
    /// True if the provider can hold every reply to it.
    pub(super) strict: bool,
}

/// Returns the schema to send; none if the call has none, or if the provider cannot be bound to it, which is listed.
pub(super) fn bound(writing: Writing<'_>, draft: &mut Draft) -> Option<Bound> {
    let ReplyContract::JsonSchema { name, schema } = &writing.call.output else { return None };
    if writing.provider.schema_output != SchemaOutput::JsonSchema {
        return None;
    }
    let name = name_of(name);
    match writing.provider.schema_subset {
        SchemaSubset::Whole => Some(Bound { name, schema: schema.clone(), strict: true }),
        SchemaSubset::StrictIfClosed => match strict(schema) {
            Some(schema) => Some(Bound { name, schema, strict: true }),
            None => {
                draft.drop("output.strict", "the provider binds strictly to closed objects that require every field");
                Some(Bound { name, schema: schema.clone(), strict: false })
            }
        },
        SchemaSubset::Structure => {
            let mut left_out = Vec::new();
            let Some(schema) = structure(schema, "", &mut left_out) else {
                draft.drop("output", "the provider does not bind replies to open objects or recursive schemas");
                return None;
            };
            for pointer in left_out {
                draft.drop(&format!("output.schema{pointer}"), "the provider does not take the keyword");
            }
            Some(Bound { name, schema, strict: true })
        }
    }
}

/// Writes a name with the letters that the protocols take.
fn name_of(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "_-".contains(letter) { letter } else { '_' };
    name.chars().take(LONGEST_NAME).map(plain).collect()
}

/// Returns the schema with objects that are closed and require all of their fields; none if that would refuse replies
/// which the schema admits, or if it has a keyword that a strict binding does not take.
fn strict(schema: &Value) -> Option<Value> {
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    if is_object { strictly(schema) } else { None }
}

fn strictly(schema: &Value) -> Option<Value> {
    let fields = schema.as_object()?;
    let mut out = Map::new();
    for (key, value) in fields {
        let value = match key.as_str() {
            "properties" | "$defs" | "definitions" => each_field(value, strictly)?,
            "items" => strictly(value)?,
            "anyOf" => each_item(value, strictly)?,
            "additionalProperties" => continue,
            "$schema" | "$id" | "$comment" => continue,
            known if PLAIN.contains(&known) || STRICT.contains(&known) => value.clone(),
            _ => return None,
        };
        out.insert(key.clone(), value);
    }
    if !has_fields(fields) {
        return Some(Value::Object(out));
    }
    let properties = fields.get("properties").and_then(Value::as_object)?;
    if !is_closable(fields) {
        return None;
    }
    let required: Vec<&str> = required(fields);
    let optional = properties.iter().filter(|(name, _)| !required.contains(&name.as_str()));
    // A field that may be null can be required: the reply says null instead of leaving it out.
    if optional.clone().any(|(_, own)| !admits_null(own)) {
        return None;
    }
    out.insert("required".to_owned(), properties.keys().cloned().collect());
    out.insert("additionalProperties".to_owned(), Value::Bool(false));
    Some(Value::Object(out))
}

/// Returns the schema with closed objects and without bounds; none if an object has to stay open, or if it is recursive.
fn structure(schema: &Value, at: &str, left_out: &mut Vec<String>) -> Option<Value> {
    let fields = schema.as_object()?;
    if has_fields(fields) && !is_closable(fields) {
        return None;
    }
    let (mut out, mut words) = (Map::new(), Vec::new());
    for (key, value) in fields {
        let inner = format!("{at}/{key}");
        let kept = match key.as_str() {
            "properties" | "$defs" | "definitions" => {
                let mut fitted = Map::new();
                for (name, own) in value.as_object()? {
                    let at = format!("{inner}/{}", name.replace('~', "~0").replace('/', "~1"));
                    fitted.insert(name.clone(), structure(own, &at, left_out)?);
                }
                Some((key.as_str(), Value::Object(fitted)))
            }
            "items" => Some(("items", structure(value, &inner, left_out)?)),
            // A reply that fits one of the alternatives is checked for the others afterwards.
            "anyOf" | "oneOf" => Some(("anyOf", list(value, &inner, left_out)?)),
            "allOf" => Some(("allOf", list(value, &inner, left_out)?)),
            "$ref" if value.as_str().is_none_or(|target| leads_back(target, at)) => return None,
            "$schema" | "$id" | "$comment" | "additionalProperties" => None,
            "minItems" if value.as_u64().is_some_and(|least| least <= 1) => Some((key.as_str(), value.clone())),
            "format" if value.as_str().is_some_and(|format| FORMATS.contains(&format)) => {
                Some((key.as_str(), value.clone()))
            }
            known if PLAIN.contains(&known) => Some((known, value.clone())),
            _ => {
                words.push(format!("{key}: {value}"));
                left_out.push(inner);
                None
            }
        };
        out.extend(kept.map(|(key, value)| (key.to_owned(), value)));
    }
    if has_fields(fields) {
        out.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    describe(&mut out, &words);
    Some(Value::Object(out))
}

/// Returns true for a reference that leads out of the document, or back to where it stands.
fn leads_back(target: &str, at: &str) -> bool {
    target.strip_prefix('#').is_none_or(|own| at == own || at.starts_with(&format!("{own}/")))
}

/// Adds what cannot be enforced to the description, so that the model reads it.
fn describe(schema: &mut Map<String, Value>, words: &[String]) {
    if words.is_empty() {
        return;
    }
    let words = format!("({})", words.join(", "));
    let before = schema.get("description").and_then(Value::as_str);
    let text = before.map_or(words.clone(), |before| format!("{before}\n\n{words}"));
    schema.insert("description".to_owned(), json!(text));
}

fn list(value: &Value, at: &str, left_out: &mut Vec<String>) -> Option<Value> {
    let items = value.as_array()?.iter().zip(0_usize..);
    items
        .map(|(own, index)| structure(own, &format!("{at}/{index}"), left_out))
        .collect::<Option<Vec<_>>>()
        .map(Value::Array)
}

fn each_field(value: &Value, fit: impl Fn(&Value) -> Option<Value>) -> Option<Value> {
    let fields = value.as_object()?.iter();
    fields.map(|(name, own)| Some((name.clone(), fit(own)?))).collect::<Option<Map<_, _>>>().map(Value::Object)
}

fn each_item(value: &Value, fit: impl Fn(&Value) -> Option<Value>) -> Option<Value> {
    value.as_array()?.iter().map(fit).collect::<Option<Vec<_>>>().map(Value::Array)
}

/// Returns true for the schema of an object.
fn has_fields(schema: &Map<String, Value>) -> bool {
    admits(schema.get("type"), "object") || schema.contains_key("properties")
}

/// Returns true if an object can be closed without losing fields that it is meant to have.
fn is_closable(schema: &Map<String, Value>) -> bool {
    let has_own = schema.get("properties").and_then(Value::as_object).is_some_and(|own| !own.is_empty());
    match schema.get("additionalProperties") {
        Some(Value::Bool(false)) => true,
        None | Some(Value::Bool(true)) => has_own && !schema.contains_key("patternProperties"),
        Some(_) => false,
    }
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn admits_null(schema: &Value) -> bool {
    let of_type = admits(schema.get("type"), "null");
    let listed = schema.get("enum").and_then(Value::as_array).is_none_or(|list| list.contains(&Value::Null));
    let any = schema.get("anyOf").and_then(Value::as_array).is_some_and(|list| list.iter().any(admits_null));
    (of_type && listed && schema.get("const").is_none()) || any
}

fn admits(own: Option<&Value>, name: &str) -> bool {
    match own {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(properties: Value, required: Value) -> Value {
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }

    #[test]
    fn a_strict_schema_closes_objects_and_requires_what_may_be_null() {
        let open = json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "integer", "minimum": 1}}, "required": ["b"]});
        let closed = object(
            json!({"a": {"type": ["string", "null"]}, "b": {"type": "integer", "minimum": 1}}),
            json!(["a", "b"]),
        );
        assert_eq!(strict(&open), Some(closed));
        let optional = object(json!({"a": {"type": "string"}}), json!([]));
        let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
        let inner = object(json!({"a": map}), json!(["a"]));
        let keyword = object(json!({"a": {"type": "string", "maxLength": 3}}), json!(["a"]));
        for other in [&optional, &map, &inner, &keyword, &json!({"type": "array", "items": {"type": "string"}})] {
            assert_eq!(strict(other), None, "{other}");
        }
    }

    #[test]
    fn bounds_move_into_the_description_and_are_listed() {
        let schema = object(
            json!({"a/b": {"type": "integer", "minimum": 10, "description": "Size."}, "c": {"oneOf": [{"type": "string", "format": "regex"}]}}),
            json!(["a/b"]),
        );
        let mut left_out = Vec::new();
        let fitted = structure(&schema, "", &mut left_out).unwrap();
        assert_eq!(left_out, ["/properties/a~1b/minimum", "/properties/c/oneOf/0/format"]);
        let own = json!({"type": "integer", "description": "Size.\n\n(minimum: 10)"});
        assert_eq!(fitted["properties"]["a/b"], own);
        assert_eq!(
            fitted["properties"]["c"],
            json!({"anyOf": [{"type": "string", "description": "(format: \"regex\")"}]})
        );
        assert_eq!(fitted["additionalProperties"], false);
        for other in [
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            json!({"type": "object"}),
            object(json!({"next": {"$ref": "#"}}), json!([])),
            json!({"$ref": "#/$defs/node", "$defs": {"node": object(json!({"next": {"$ref": "#/$defs/node"}}), json!([]))}}),
        ] {
            assert_eq!(structure(&other, "", &mut Vec::new()), None, "{other}");
        }
    }

    #[test]
    fn names_have_the_letters_that_protocols_take() {
        assert_eq!(name_of("a b.c/\u{e9}-1"), "a_b_c__-1");
        assert_eq!(name_of(&"x".repeat(100)).len(), LONGEST_NAME);
    }
}
