//! Types from the part of JSON Schema that describes a context.
//!
//! Supported are `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `const`, `minimum`,
//! `maximum`, local `$ref`, `anyOf` and `oneOf`. Any other keyword can only narrow a schema, so ignoring it keeps the
//! type sound; a schema without any of these is `Any`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Ty;

/// The depth up to which references are followed; a recursive schema is `Any` from there on.
const DEEPEST: usize = 16;

impl Ty {
    /// Returns the type of the values that a schema admits.
    pub fn from_schema(schema: &Value) -> Ty {
        Reader { root: schema }.read(schema, 0)
    }
}

struct Reader<'s> {
    root: &'s Value,
}

impl Reader<'_> {
    fn read(&self, schema: &Value, depth: usize) -> Ty {
        let Value::Object(keywords) = schema else { return Ty::Any };
        if depth >= DEEPEST {
            return Ty::Any;
        }
        if let Some(reference) = keywords.get("$ref") {
            let target = reference
                .as_str()
                .and_then(|text| text.strip_prefix('#'))
                .and_then(|pointer| self.root.pointer(pointer));
            return target.map_or(Ty::Any, |target| self.read(target, depth + 1));
        }
        if let Some(value) = keywords.get("const") {
            return constant(value);
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return Ty::union(values.iter().map(constant));
        }
        if let Some(Value::Array(alternatives)) = keywords.get("anyOf").or_else(|| keywords.get("oneOf")) {
            return Ty::union(alternatives.iter().map(|one| self.read(one, depth + 1)));
        }
        match keywords.get("type") {
            Some(Value::String(name)) => self.named(name, keywords, depth),
            Some(Value::Array(names)) => Ty::union(
                names.iter().map(|name| name.as_str().map_or(Ty::Any, |name| self.named(name, keywords, depth))),
            ),
            _ => Ty::Any,
        }
    }

    fn named(&self, name: &str, keywords: &Map<String, Value>, depth: usize) -> Ty {
        match name {
            "null" => Ty::Null,
            "boolean" => Ty::Bool,
            "string" => Ty::STRING,
            "number" | "integer" => {
                let bound = |name: &str| keywords.get(name).and_then(Value::as_f64);
                Ty::Number { min: bound("minimum"), max: bound("maximum") }
            }
            // Elements by position come before `items`, so `items` alone is not the whole type.
            "array" if keywords.contains_key("prefixItems") => Ty::Array(Box::new(Ty::Any)),
            "array" => {
                let item = keywords.get("items").map_or(Ty::Any, |items| self.read(items, depth + 1));
                Ty::Array(Box::new(item))
            }
            "object" => self.object(keywords, depth),
            _ => Ty::Any,
        }
    }

    fn object(&self, keywords: &Map<String, Value>, depth: usize) -> Ty {
        let mut fields = BTreeMap::new();
        if let Some(Value::Object(properties)) = keywords.get("properties") {
            for (name, schema) in properties {
                // A property whose schema is `false` can never exist.
                if *schema != Value::Bool(false) {
                    fields.insert(name.clone(), self.read(schema, depth + 1));
                }
            }
        }
        let mut required = BTreeSet::new();
        if let Some(Value::Array(names)) = keywords.get("required") {
            required.extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        let open = keywords.get("additionalProperties") != Some(&Value::Bool(false))
            || keywords.contains_key("patternProperties");
        Ty::Object { fields, required, open }
    }
}

/// Returns the type of one single value, as closely as a type can describe it.
pub(crate) fn constant(value: &Value) -> Ty {
    match value {
        Value::Null => Ty::Null,
        Value::Bool(_) => Ty::Bool,
        Value::Number(n) => Ty::Number { min: n.as_f64(), max: n.as_f64() },
        Value::String(text) => Ty::String { values: Some(BTreeSet::from([text.clone()])) },
        Value::Array(_) | Value::Object(_) => Ty::infer(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_subset_is_read() {
        let schema = json!({
            "type": "object",
            "properties": {
                "role": {"enum": ["agent", "lead"]},
                "amount": {"type": "integer", "minimum": 0},
                "note": {"type": ["string", "null"]},
                "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}},
                "any": {"not": {"type": "string"}}
            },
            "required": ["role"],
            "additionalProperties": false,
            "$defs": {"tag": {"type": "string"}}
        });
        let fields = BTreeMap::from([
            ("role", Ty::String { values: Some(BTreeSet::from(["agent".into(), "lead".into()])) }),
            ("amount", Ty::Number { min: Some(0.0), max: None }),
            ("note", Ty::Union(vec![Ty::STRING, Ty::Null])),
            ("tags", Ty::Array(Box::new(Ty::STRING))),
            ("any", Ty::Any),
        ]);
        let fields = fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        let required = BTreeSet::from(["role".to_owned()]);
        assert_eq!(Ty::from_schema(&schema), Ty::Object { fields, required, open: false });
    }

    #[test]
    fn a_recursive_schema_ends() {
        let schema = json!({
            "type": "object",
            "properties": {"next": {"$ref": "#"}},
            "additionalProperties": false
        });
        let mut ty = &Ty::from_schema(&schema);
        let mut levels = 0;
        while let Ty::Object { fields, .. } = ty {
            ty = &fields["next"];
            levels += 1;
        }
        assert_eq!((ty, levels), (&Ty::Any, 8));
    }
}
