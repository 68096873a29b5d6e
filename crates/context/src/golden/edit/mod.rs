//! Rewriting of what a case expects, in the text of its author.
//!
//! Enters: the document of a case, and the expectation that holds now. Leaves: the text with another `expect`. Must prove:
//! the text reads as the document did, with that expectation and nothing else changed. Comments and order stay where a
//! value did not change; if an edit in place does not read as it must, `expect` is written as a whole.

mod patch;
mod yaml;

use deed_diag::{Document, Format};
use deed_diag::{Invariant as _, Severity};
use deed_model::GoldenExpectation;
use patch::Patches;
use serde_json::Value;
use thiserror::Error;

pub(crate) use yaml::{document as yaml_document, section as yaml_section};

/// The reason why a case cannot be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EditFault {
    /// There is no `expect` object in it.
    #[error("the case has no `expect` object")]
    NoExpectation,
    /// No edit reads as it must.
    #[error("`expect` cannot be rewritten without changing something else")]
    NotEditable,
}

/// Returns the text of a case with another expectation.
///
/// # Errors
/// The document has no `expect`, or its text cannot be edited so that it reads as it must.
pub fn accepted(document: &Document, expect: &GoldenExpectation) -> Result<String, EditFault> {
    let format = Format::of_name(document.source().name());
    let text = document.source().text();
    let wanted = serde_json::to_value(expect).invariant("an expectation is JSON");
    let mut whole = document.value().clone();
    let old = whole.get_mut("expect").filter(|expect| expect.is_object()).ok_or(EditFault::NoExpectation)?;
    let in_place = Patches::of(document, format, &settled(old, &wanted)).map(|patches| patches.apply(text));
    *old = wanted.clone();
    let reads = |edited: &String| {
        let read = Document::read("edited", edited.as_bytes(), format);
        read.is_ok_and(|read| same(read.value(), &whole))
    };
    if let Some(edited) = in_place.filter(reads) {
        return Ok(edited);
    }
    let replaced = Patches::whole(document, format, &wanted).map(|patches| patches.apply(text));
    replaced.filter(reads).ok_or(EditFault::NotEditable)
}

/// Returns the wanted fields with empty lists and maps that the author wrote and that mean the same as none.
fn settled(old: &Value, wanted: &Value) -> Value {
    let mut wanted = wanted.clone();
    if let (Some(old), Some(new)) = (old.as_object(), wanted.as_object_mut()) {
        for (key, value) in old.iter().filter(|(_, value)| is_empty(value)) {
            new.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    wanted
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Compares documents: empty parts of `expect` count as none.
fn same(a: &Value, b: &Value) -> bool {
    let without_empty = |document: &Value| {
        let mut document = document.clone();
        if let Some(expect) = document.get_mut("expect").and_then(Value::as_object_mut) {
            let keep = |key: &String, value: &mut Value| !is_empty(value) || !SKIPPED_IF_EMPTY.contains(&key.as_str());
            expect.retain(keep);
        }
        document
    };
    without_empty(a) == without_empty(b)
}

/// The fields of an expectation that mean the same when they are empty and when they are left out.
const SKIPPED_IF_EMPTY: [&str; 10] = [
    "calls",
    "verdicts",
    "hidden",
    "arguments",
    "rejected_evidence",
    "rejected_memory",
    "prompt_has",
    "prompt_lacks",
    "tokens_allocated",
    "stages",
];

/// Returns true if findings have no error.
pub(crate) fn is_clean(found: &[deed_diag::Diagnostic]) -> bool {
    found.iter().all(|finding| finding.severity != Severity::Error)
}
