//! Conversion of documents and values to inputs.

use crate::refusal::Refusal;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, Report, codes, did_you_mean, quote};
use deed_model::schema_for;
use deed_schema::Shape;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// An input of a compile.
pub trait ReadInput: Sized {
    /// The contract of its shape.
    type Shape: JsonSchema + for<'de> Deserialize<'de>;
    /// Its name in messages.
    const NAME: &'static str;

    /// Converts a value.
    ///
    /// # Errors
    /// If the value is not such an input, with a pointer and no place in a source.
    fn from_value(value: Value) -> Result<Self, Refusal>;

    /// Returns warnings about keys that are never read and probably misspelt. Empty if any key is allowed.
    fn unknown_keys(_document: &Document) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Converts a document. Warnings are returned beside the input.
    ///
    /// # Errors
    /// A report of all findings, with their places in the document.
    fn read(document: &Document) -> Result<(Self, Report), Report> {
        Self::read_as(document, document.value().clone())
    }

    /// Converts a value that is the document's own, apart from fields that the caller added. The document stays as its
    /// author wrote it, so that places are the author's and concealed parts stay concealed.
    ///
    /// # Errors
    /// A report of all findings, with their places in the document.
    fn read_as(document: &Document, value: Value) -> Result<(Self, Report), Report> {
        let mut report = Report::default();
        report.add_source(document.source().clone());
        match Self::from_value(value) {
            Ok(input) => {
                Self::unknown_keys(document).into_iter().for_each(|d| report.push(d));
                Ok((input, report))
            }
            Err(refusal) => {
                let mut findings = Shape::new(schema_for::<Self::Shape>()).findings(document);
                if findings.is_empty() {
                    let pointer = refusal.diagnostic.place.as_ref().and_then(|p| p.pointer.clone());
                    findings.push(refusal.diagnostic.at(document.place(pointer.as_deref().unwrap_or_default())));
                }
                findings.into_iter().for_each(|d| report.push(d.stage(Self::NAME)));
                Err(report)
            }
        }
    }
}

/// Deserializes a value, or returns a refusal.
pub(super) fn typed<T: for<'de> Deserialize<'de>>(name: &str, value: &Value) -> Result<T, Refusal> {
    T::deserialize(value).map_err(|error| {
        Refusal::before(codes::INPUT_SHAPE, format!("the {name} cannot be read: {error}")).place(name, "")
    })
}

pub(super) fn not_an_object(name: &str) -> Refusal {
    Refusal::before(codes::INPUT_SHAPE, format!("the {name} must be an object")).place(name, "")
}

/// The keys that an input may have beside those of its schema, and what an object of it is called, by pointer without
/// indices (`/session/recent_turns`).
pub(super) struct Named {
    pub(super) at: &'static str,
    pub(super) what: &'static str,
    pub(super) also: &'static [&'static str],
}

/// Returns a warning for every key that is never read. What is read is what the schema of the shape lists, so that the
/// two cannot differ. An object that the schema leaves open holds the caller's own keys for rules too: there only a key
/// that resembles a known one is reported.
pub(super) fn unread<T: JsonSchema>(document: &Document, named: &[Named]) -> Vec<Diagnostic> {
    let root = schema_for::<T>();
    let mut found = Vec::new();
    Unread { document, root: &root, named }.walk(&root, document.value(), "", "", &mut found);
    found
}

struct Unread<'r> {
    document: &'r Document,
    root: &'r Value,
    named: &'r [Named],
}

impl Unread<'_> {
    fn walk(&self, schema: &Value, value: &Value, pointer: &str, path: &str, found: &mut Vec<Diagnostic>) {
        let schema = self.resolved(schema);
        match value {
            Value::Array(items) => {
                let Some(of_items) = schema.get("items") else { return };
                for (i, item) in items.iter().enumerate() {
                    self.walk(of_items, item, &Pointer::push(pointer, &i.to_string()), path, found);
                }
            }
            Value::Object(fields) => {
                // Without properties it is a map, or anything.
                let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
                let is_open = schema.get("additionalProperties") == Some(&Value::Bool(true));
                for (key, value) in fields {
                    match properties.get(key) {
                        Some(own) => {
                            let path = Pointer::push(path, key);
                            self.walk(own, value, &Pointer::push(pointer, key), &path, found);
                        }
                        None => found.extend(self.unknown(key, properties, is_open, pointer, path)),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn unknown(
        &self,
        key: &str,
        properties: &Map<String, Value>,
        is_open: bool,
        pointer: &str,
        path: &str,
    ) -> Option<Diagnostic> {
        let named = self.named.iter().find(|named| named.at == path);
        let also = named.map(|named| named.also).unwrap_or_default();
        if also.contains(&key) {
            return None;
        }
        let known = properties.keys().map(String::as_str).chain(also.iter().copied());
        let near = did_you_mean(key, known);
        if is_open && near.is_none() {
            return None;
        }
        let what = named.map_or("an input", |named| named.what);
        let read = if is_open { ", which only a rule could read" } else { "" };
        let message = format!("unknown key {} of {what}{read}", quote(key));
        let place = self.document.key_place(&Pointer::push(pointer, key));
        Some(Diagnostic::warning(codes::UNREAD_KEY, message).stage("read").at(place).help_opt(near))
    }

    /// Follows references, and takes the alternative that is not null.
    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        // A generated schema does not refer to itself without a property in between.
        for _ in 0..8 {
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'));
            let options = schema.get("anyOf").and_then(Value::as_array);
            let next = match (target, options) {
                (Some(pointer), _) => self.root.pointer(pointer),
                (None, Some(options)) => {
                    options.iter().find(|option| option.get("type").and_then(Value::as_str) != Some("null"))
                }
                (None, None) => None,
            };
            match next {
                Some(next) => schema = next,
                None => break,
            }
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{Evidence, Memory, Request, Run};
    use deed_diag::Format;
    use serde_json::json;

    fn warned<T: ReadInput>(value: &Value) -> Vec<String> {
        let document = Document::read("input.json", value.to_string().as_bytes(), Format::Json).unwrap();
        T::unknown_keys(&document).into_iter().filter_map(|d| d.place.and_then(|place| place.pointer)).collect()
    }

    /// A value that has every property of a schema, at every depth.
    fn filled(root: &Value, schema: &Value, depth: usize) -> Value {
        let document = Document::read("x.json", b"{}", Format::Json).unwrap();
        let walker = Unread { document: &document, root, named: &[] };
        let schema = walker.resolved(schema);
        if let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|_| depth < 8) {
            let fields = properties.iter().map(|(key, own)| (key.clone(), filled(root, own, depth + 1)));
            return Value::Object(fields.collect());
        }
        match schema.get("items") {
            Some(items) => json!([filled(root, items, depth + 1)]),
            None => json!("x"),
        }
    }

    #[test]
    fn every_key_of_the_schema_is_known_and_no_other() {
        fn check<T: ReadInput>() {
            let root = schema_for::<T::Shape>();
            let mut value = filled(&root, &root, 0);
            assert_eq!(warned::<T>(&value), [""; 0], "{}", T::NAME);
            let (first, at) = match &mut value {
                Value::Array(items) => (items.first_mut().unwrap(), "/0"),
                other => (other, ""),
            };
            // Near a known key, so that it is reported where the caller may have keys too.
            let near = first.as_object().unwrap().keys().find(|key| key.len() > 6).unwrap().clone() + "s";
            first[&near] = json!(1);
            assert_eq!(warned::<T>(&value), [format!("{at}/{near}")], "{}", T::NAME);
        }
        check::<Request>();
        check::<Run>();
        check::<Evidence>();
        check::<Memory>();
    }

    #[test]
    fn keys_that_nothing_resembles_are_reported_too() {
        for (key, at) in [("total", "/run_budget"), ("total_tokens", "/run_budget"), ("buckets", "/run_budget")] {
            let value = json!({ "run_budget": { key: 5 } });
            assert_eq!(warned::<Run>(&value), [format!("{at}/{key}")]);
        }
        let request = json!({ "zz": 1, "input": { "zz": 1, "channel": "chat", "context": { "own": 1 } },
            "session": { "zz": 1, "recent_turns": [{ "role": "user", "text": "x", "zz": 1 }] } });
        assert_eq!(warned::<Request>(&request), ["/input/zz", "/session/recent_turns/0/zz", "/session/zz", "/zz"]);
        let evidence = json!([{ "evidence_ref": "x", "rank": 1, "zz": 1, "content": { "own": 1 } }]);
        assert_eq!(warned::<Evidence>(&evidence), ["/0/zz"]);
        // The caller's own field, which a rule may read.
        assert_eq!(warned::<Run>(&json!({ "weather": "calm", "user": { "desk": 2 } })), [""; 0]);
    }
}
