//! Filled template → payload: read, assemble, validate.
//!
//! Optional places that were left untouched disappear, values that the system supplies are inserted, texts of JSON are
//! serialized, and escaped text is plain again. The schema decides whether the payload is valid. All findings are
//! reported at once.

mod finding;
mod judge;
mod place;
mod walk;

pub use finding::Finding;

use crate::imprint::Imprint;
use serde_json::Value;
use std::collections::BTreeMap;

/// Values of `AUTO` places, by JSON pointer into the payload.
pub type Supplied = BTreeMap<String, Value>;

/// The result of lowering a filled template.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// The payload, if nothing is wrong.
    pub payload: Option<Value>,
    /// All findings, in the order of places.
    pub findings: Vec<Finding>,
    /// Optional places that were left untouched, by JSON pointer into the payload.
    pub dropped: Vec<String>,
}

/// Lowers a filled template.
pub(crate) fn lower(imprint: &Imprint, filled: &Value, supplied: &Supplied) -> Lowered {
    let mut walked = walk::walk(imprint, filled, supplied);
    if let Some(payload) = &mut walked.payload {
        place::hollow(imprint, payload, &walked.notes);
        place::supply(imprint, payload, supplied, &mut walked.notes);
        judge::judge(imprint, payload, &mut walked.notes);
        if walked.notes.findings.is_empty() {
            place::serialize(imprint, payload, &mut walked.notes);
        }
    }
    let walk::Notes { mut findings, dropped, .. } = walked.notes;
    findings.sort_by(|a, b| (&a.pointer, a.code.as_str(), &a.message).cmp(&(&b.pointer, b.code.as_str(), &b.message)));
    let payload = walked.payload.filter(|_| findings.is_empty());
    Lowered { payload, findings, dropped }
}
