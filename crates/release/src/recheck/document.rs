//! Reading of changed documents.

use super::Checked;
use deed_canon::{ContentHash, hash};
use deed_diag::{Diagnostic, Document, Invariant as _, Report, codes, quote};
use deed_model::{DEPENDENCY_TAG, schema_for};
use deed_schema::Shape;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a document as its type.
pub(super) fn read<T: DeserializeOwned + JsonSchema>(document: &Document) -> Result<T, Report> {
    let mut findings: Vec<Diagnostic> = Shape::new(schema_for::<T>())
        .findings(document)
        .into_iter()
        .map(|d| Diagnostic { code: codes::DEPENDENCY_NOT_READABLE, ..d })
        .collect();
    if findings.is_empty() {
        match serde_json::from_value(document.value().clone()) {
            Ok(read) => return Ok(read),
            Err(error) => {
                let message = format!("the document cannot be read: {error}");
                findings.push(Diagnostic::error(codes::DEPENDENCY_NOT_READABLE, message).at(document.place("")));
            }
        }
    }
    let mut report = Report::default();
    report.add_source(document.source().clone());
    findings.into_iter().for_each(|d| report.push(d.stage("recheck")));
    Err(report)
}

/// Computes the hash of a changed document.
pub(super) fn hashed(value: &Value) -> Result<ContentHash, Report> {
    hash(&DEPENDENCY_TAG, value).map_err(|error| {
        let message = format!("the changed document has no canonical form: {error}");
        Report::of(Diagnostic::error(codes::NO_CANONICAL_FORM, message).stage("recheck"))
    })
}

/// Returns a warning if the pack has no golden cases, so that less is looked at than with some.
pub(super) fn without_golden(checked: &Checked<'_>, why: &str) -> Option<Diagnostic> {
    let none = checked.bundle.golden.is_empty().then(|| format!("the pack has no golden cases: {why}"));
    none.map(|message| {
        Diagnostic::warning(codes::NO_GOLDEN_CASES, message)
            .at(checked.bundle.document.place(""))
            .help("write some under `golden/`")
    })
}

/// The refusal of a document that the pack does not refer to.
pub(super) fn not_used(document: &Document, pointer: &str, what: &str, known: &[&str]) -> Report {
    let name =
        document.value().pointer(pointer).and_then(Value::as_str).invariant("a document that was read has a name");
    let help = match known {
        [] => "it refers to none".to_owned(),
        known => format!("it refers to {}", known.join(", ")),
    };
    let mut report = Report::default();
    report.add_source(document.source().clone());
    report.push(
        Diagnostic::error(codes::DEPENDENCY_NOT_USED, format!("the pack does not refer to {what} {}", quote(name)))
            .stage("recheck")
            .at(document.place(pointer))
            .help(help),
    );
    report
}
