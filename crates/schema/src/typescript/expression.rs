//! A schema as a type expression.

use super::TypesError;
use super::comment::comment;
use super::name::member;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of an expression, which decides where it needs parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A name, a literal or an object.
    Single,
    /// Alternatives.
    Union,
    /// Demands that hold together.
    Intersection,
}

/// A type expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: String,
    shape: Shape,
}

impl Written {
    fn single(text: impl Into<String>) -> Self {
        Self { text: text.into(), shape: Shape::Single }
    }

    /// The text where alternatives would bind to something else.
    fn grouped(&self) -> String {
        match self.shape {
            Shape::Single => self.text.clone(),
            Shape::Union | Shape::Intersection => format!("({})", self.text),
        }
    }
}

/// Writes the types of one schema.
pub(super) struct Writer<'s> {
    root: &'s str,
    names: &'s BTreeMap<&'s str, String>,
}

/// The indentation of a level.
pub(super) fn indented(depth: usize) -> String {
    "  ".repeat(depth)
}

impl<'s> Writer<'s> {
    pub(super) fn new(root: &'s str, names: &'s BTreeMap<&'s str, String>) -> Self {
        Self { root, names }
    }

    /// Writes a schema. Its keywords are demands that hold together.
    pub(super) fn expression(&self, schema: &Value, depth: usize) -> Result<Written, TypesError> {
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => return Ok(Written::single("never")),
            _ => return Ok(Written::single("unknown")),
        };
        let mut demands = Vec::new();
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
            demands.push(Written::single(self.named(reference)?));
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(choices) = keywords.get(key).and_then(Value::as_array) {
                demands.push(self.union(choices, depth)?);
            }
        }
        for part in keywords.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            demands.push(self.expression(part, depth)?);
        }
        if let Some(value) = keywords.get("const") {
            demands.push(literal(value));
        } else if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
            demands.push(union_of(values.iter().map(literal).collect()));
        } else if let Some(typed) = self.typed(keywords, depth)? {
            demands.push(typed);
        }
        Ok(intersection_of(demands))
    }

    /// The name that a reference leads to.
    fn named(&self, reference: &str) -> Result<&str, TypesError> {
        if reference == "#" {
            return Ok(self.root);
        }
        let name = reference.strip_prefix("#/$defs/").and_then(|key| self.names.get(key));
        name.map(String::as_str).ok_or_else(|| TypesError::Reference(reference.to_owned()))
    }

    fn union(&self, choices: &[Value], depth: usize) -> Result<Written, TypesError> {
        Ok(union_of(choices.iter().map(|choice| self.expression(choice, depth)).collect::<Result<_, _>>()?))
    }

    /// Writes `type` and what belongs to it; nothing where the schema does not speak of types.
    fn typed(&self, keywords: &Map<String, Value>, depth: usize) -> Result<Option<Written>, TypesError> {
        let types: Vec<&str> = match keywords.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ if ["properties", "required", "additionalProperties"].iter().any(|key| keywords.contains_key(*key)) => {
                vec!["object"]
            }
            _ => return Ok(None),
        };
        let of = |name: &str| match name {
            "string" | "boolean" | "null" => Ok(Written::single(name)),
            "integer" | "number" => Ok(Written::single("number")),
            "array" => self.array(keywords, depth),
            "object" => self.object(keywords, depth),
            _ => Ok(Written::single("unknown")),
        };
        Ok(Some(union_of(types.into_iter().map(of).collect::<Result<_, _>>()?)))
    }

    fn array(&self, keywords: &Map<String, Value>, depth: usize) -> Result<Written, TypesError> {
        let items = keywords.get("items").map(|items| self.expression(items, depth)).transpose()?;
        let Some(first) = keywords.get("prefixItems").and_then(Value::as_array) else {
            let item = items.map_or_else(|| "unknown".to_owned(), |item| item.grouped());
            return Ok(Written::single(format!("{item}[]")));
        };
        let least = keywords.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let mut parts = Vec::new();
        for (at, item) in (0u64..).zip(first) {
            let optional = if at < least { "" } else { "?" };
            parts.push(format!("{}{optional}", self.expression(item, depth)?.grouped()));
        }
        match items {
            Some(item) if item.text == "never" => {}
            Some(item) => parts.push(format!("...{}[]", item.grouped())),
            None if keywords.get("maxItems").and_then(Value::as_u64) == Some(first.len() as u64) => {}
            None => parts.push("...unknown[]".to_owned()),
        }
        Ok(Written::single(format!("[{}]", parts.join(", "))))
    }

    fn object(&self, keywords: &Map<String, Value>, depth: usize) -> Result<Written, TypesError> {
        let properties = keywords.get("properties").and_then(Value::as_object);
        let required: BTreeSet<&str> = keywords
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut members = Vec::new();
        for (name, schema) in properties.into_iter().flatten() {
            let description = schema.get("description").and_then(Value::as_str);
            let optional = if required.contains(name.as_str()) { "" } else { "?" };
            let text = self.expression(schema, depth + 1)?.text;
            let lead = comment(description, depth + 1);
            members.push(format!("{lead}{}{}{optional}: {text};\n", indented(depth + 1), member(name)));
        }
        for name in required.iter().filter(|name| !properties.is_some_and(|all| all.contains_key(**name))) {
            members.push(format!("{}{}: unknown;\n", indented(depth + 1), member(name)));
        }
        if let Some(other) = self.others(keywords, members.is_empty(), depth)? {
            members.push(format!("{}[key: string]: {other};\n", indented(depth + 1)));
        }
        Ok(Written::single(match members.is_empty() {
            // An object without members is `{}` in JSON; in TypeScript that would be almost anything.
            true => "Record<string, never>".to_owned(),
            false => format!("{{\n{}{}}}", members.concat(), indented(depth)),
        }))
    }

    /// The type of members that are not named; none where there may be none, or where a type need not speak of them.
    fn others(&self, keywords: &Map<String, Value>, alone: bool, depth: usize) -> Result<Option<String>, TypesError> {
        if keywords.contains_key("patternProperties") {
            return Ok(Some("unknown".to_owned()));
        }
        match keywords.get("additionalProperties") {
            Some(Value::Bool(false)) => Ok(None),
            Some(schema @ Value::Object(_)) if alone => Ok(Some(self.expression(schema, depth + 1)?.text)),
            // The type of an index has to hold for the named members too.
            Some(Value::Object(_)) => Ok(Some("unknown".to_owned())),
            Some(Value::Bool(true)) => Ok(Some("unknown".to_owned())),
            _ if alone => Ok(Some("unknown".to_owned())),
            _ => Ok(None),
        }
    }
}

fn literal(value: &Value) -> Written {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Written::single(value.to_string()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| literal(item).text).collect();
            Written::single(format!("[{}]", items.join(", ")))
        }
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}: {}", member(name), literal(value).text)).collect();
            Written::single(format!("{{ {} }}", fields.join("; ")))
        }
    }
}

/// Alternatives, each once; what is anything makes all of them anything.
fn union_of(choices: Vec<Written>) -> Written {
    let mut kept: Vec<Written> = Vec::new();
    for choice in choices {
        if choice.text == "unknown" {
            return choice;
        }
        if choice.text != "never" && !kept.contains(&choice) {
            kept.push(choice);
        }
    }
    let part = |choice: &Written| match choice.shape {
        Shape::Intersection => choice.grouped(),
        Shape::Single | Shape::Union => choice.text.clone(),
    };
    match kept.as_slice() {
        [] => Written::single("never"),
        [one] => one.clone(),
        several => {
            let parts: Vec<String> = several.iter().map(part).collect();
            Written { text: parts.join(" | "), shape: Shape::Union }
        }
    }
}

/// Demands that hold together; what is anything demands nothing.
fn intersection_of(demands: Vec<Written>) -> Written {
    let mut kept: Vec<Written> = demands.into_iter().filter(|demand| demand.text != "unknown").collect();
    match kept.len() {
        0 => Written::single("unknown"),
        1 => kept.swap_remove(0),
        _ => {
            let parts: Vec<String> = kept.iter().map(Written::grouped).collect();
            Written { text: parts.join(" & "), shape: Shape::Intersection }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TypesError, typescript};
    use serde_json::{Value, json};

    #[track_caller]
    fn check(schema: Value, expected: &str) {
        assert_eq!(typescript(&schema, "Root").unwrap(), expected);
    }

    #[test]
    fn plain_types() {
        check(json!(true), "export type Root = unknown;\n");
        check(json!(false), "export type Root = never;\n");
        check(json!({ "type": "integer", "minimum": 0 }), "export type Root = number;\n");
        check(json!({ "type": ["string", "null"] }), "export type Root = string | null;\n");
        check(json!({ "enum": ["a\"b", 1, null] }), "export type Root = \"a\\\"b\" | 1 | null;\n");
        check(
            json!({ "type": "array", "items": { "type": ["string", "null"] } }),
            "export type Root = (string | null)[];\n",
        );
        check(
            json!({ "type": "object", "additionalProperties": false }),
            "export type Root = Record<string, never>;\n",
        );
        check(
            json!({ "type": "array", "prefixItems": [{ "type": "string" }, {}], "minItems": 2, "maxItems": 2 }),
            "export type Root = [string, unknown];\n",
        );
    }

    #[test]
    fn objects_say_what_is_optional_and_describe_it() {
        check(
            json!({
                "description": "A thing.\nOf two lines.",
                "type": "object",
                "required": ["a", "z"],
                "properties": { "a": { "type": "string", "description": "Ends */ here." }, "b-c": { "$ref": "#/$defs/my.Def" } },
                "$defs": { "my.Def": { "type": "object", "additionalProperties": { "type": "number" } } },
            }),
            "/**\n * A thing.\n * Of two lines.\n */\nexport type Root = {\n  /** Ends *\\/ here. */\n  a: string;\n  \
             \"b-c\"?: MyDef;\n  z: unknown;\n};\n\nexport type MyDef = {\n  [key: string]: number;\n};\n",
        );
    }

    #[test]
    fn demands_hold_together_and_alternatives_are_grouped() {
        check(
            json!({
                "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "null" }],
                "properties": { "k": { "const": "x" } },
                "$defs": { "A": { "$ref": "#" } },
            }),
            "export type Root = (A | null) & {\n  k?: \"x\";\n};\n\nexport type A = Root;\n",
        );
    }

    #[test]
    fn references_out_of_the_schema_and_equal_names_are_refused() {
        let refused = |schema: Value| typescript(&schema, "Root").unwrap_err();
        assert_eq!(refused(json!({ "$ref": "#/$defs/X" })), TypesError::Reference("#/$defs/X".to_owned()));
        assert_eq!(refused(json!({ "$ref": "urn:x" })), TypesError::Reference("urn:x".to_owned()));
        assert_eq!(refused(json!({ "$defs": { "a b": {}, "aB": {} } })), TypesError::Name("AB".to_owned()));
        assert_eq!(refused(json!({ "$defs": { "root": {} } })), TypesError::Name("Root".to_owned()));
    }
}
