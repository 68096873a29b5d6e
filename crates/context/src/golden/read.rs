//! Conversion of a document to a case, and of a case to the inputs of a compile.

use crate::inputs::{Evidence, Inputs, Memory, ReadInput, Request, Run};
use crate::refusal::Refusal;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, codes, did_you_mean, quote};
use deed_model::{Bucket, GoldenCase, Stage, schema_for};
use deed_schema::Shape;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Parses a case, or returns all findings about the document.
pub(super) fn case(document: &Document, shape: &Shape) -> Result<GoldenCase, Vec<Diagnostic>> {
    if !document.value().is_object() {
        let message = "a golden case must be an object";
        return Err(vec![Diagnostic::error(codes::GOLDEN_CASE_NOT_READABLE, message).at(document.place(""))]);
    }
    let mut faults: Vec<Diagnostic> = shape
        .findings(document)
        .into_iter()
        .map(|fault| Diagnostic { code: codes::GOLDEN_CASE_NOT_READABLE, ..fault })
        .collect();
    faults.extend(unknown_keys::<<Evidence as ReadInput>::Shape>(document, "evidence"));
    faults.extend(unknown_keys::<<Memory as ReadInput>::Shape>(document, "memory"));
    faults.extend(unknown_buckets(document));
    faults.extend(unknown_stages(document));
    if !faults.is_empty() {
        return Err(faults);
    }
    GoldenCase::deserialize(document.value()).map_err(|error| {
        let message = format!("the case cannot be read: {error}");
        vec![Diagnostic::error(codes::GOLDEN_CASE_NOT_READABLE, message).at(document.place(""))]
    })
}

/// Reports keys of items that are never read. A compile only warns of them; a case with one does not test what it
/// states.
fn unknown_keys<T: JsonSchema>(document: &Document, list: &str) -> Vec<Diagnostic> {
    let items = document.value().get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        return Vec::new();
    }
    let schema = schema_for::<T>();
    let known = known_keys(&schema);
    let pointer = |i: usize, key: &str| Pointer::push(&Pointer::push(&Pointer::push("", list), &i.to_string()), key);
    let keys = items.iter().enumerate().flat_map(|(i, item)| {
        item.as_object().into_iter().flat_map(|object| object.keys()).map(move |key| (i, key.as_str()))
    });
    keys.filter(|(_, key)| !known.contains(key))
        .map(|(i, key)| {
            Diagnostic::error(codes::GOLDEN_CASE_NOT_READABLE, format!("unknown key {}", quote(key)))
                .at(document.key_place(&pointer(i, key)))
                .help(
                    did_you_mean(key, known.iter().copied())
                        .unwrap_or_else(|| format!("known here: {}", known.join(", "))),
                )
        })
        .collect()
}

/// Reports keys that are not buckets: the schema allows any key of a map.
fn unknown_buckets(document: &Document) -> Vec<Diagnostic> {
    let known = Bucket::ALL.map(Bucket::as_str);
    let maps = ["/expect/tokens_allocated", "/expect/dropped"].into_iter();
    let keys = maps.flat_map(|at| {
        let map = document.value().pointer(at).and_then(Value::as_object);
        map.into_iter().flat_map(|map| map.keys()).map(move |key| (at, key.as_str()))
    });
    keys.filter(|(_, key)| !known.contains(key))
        .map(|(at, key)| {
            Diagnostic::error(codes::GOLDEN_CASE_NOT_READABLE, format!("{} is not a bucket", quote(key)))
                .at(document.key_place(&Pointer::push(at, key)))
                .help(did_you_mean(key, known).unwrap_or_else(|| format!("there are {}", known.join(", "))))
        })
        .collect()
}

/// Reports keys that are not stages.
fn unknown_stages(document: &Document) -> Vec<Diagnostic> {
    let known = Stage::ALL.map(Stage::as_str);
    let stages = document.value().pointer("/expect/stages").and_then(Value::as_object);
    let keys = stages.into_iter().flat_map(|map| map.keys()).filter(|key| !known.contains(&key.as_str()));
    keys.map(|key| {
        Diagnostic::error(codes::GOLDEN_CASE_NOT_READABLE, format!("{} is not a stage", quote(key)))
            .at(document.key_place(&Pointer::push("/expect/stages", key)))
            .help(did_you_mean(key, known).unwrap_or_else(|| format!("there are {}", known.join(", "))))
    })
    .collect()
}

/// Returns the names of all properties in a schema, including those of flattened parts.
fn known_keys(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("properties").and_then(Value::as_object).into_iter().flat_map(|p| p.keys());
            own.map(String::as_str).chain(fields.values().flat_map(known_keys)).collect()
        }
        Value::Array(items) => items.iter().flat_map(known_keys).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// The inputs of a case, owned.
pub(super) struct GoldenInputs {
    request: Request,
    pub(super) run: Run,
    evidence: Evidence,
    memory: Memory,
}

impl GoldenInputs {
    /// Returns the inputs, or the invalid part of the case with the reason.
    pub(super) fn read(case: &GoldenCase) -> Result<Self, (&'static str, Refusal)> {
        let list = |items: &[Value]| Value::Array(items.to_vec());
        Ok(Self {
            request: Request::from_value(case.request.clone()).map_err(|refusal| ("request", refusal))?,
            run: Run::from_value(case.run.clone()).map_err(|refusal| ("run", refusal))?,
            evidence: Evidence::from_value(list(&case.evidence)).map_err(|refusal| ("evidence", refusal))?,
            memory: Memory::from_value(list(&case.memory)).map_err(|refusal| ("memory", refusal))?,
        })
    }

    pub(super) fn borrow(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }
}
