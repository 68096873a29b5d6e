//! Values that the text strikes out: `room: ~~B12~~`.
//!
//! In a text that is JSON as it stands such marks belong to the value; in one that was written for people they take it
//! back.

use super::Repaired;
use super::places::first_place;
use crate::climb::{Finding, Findings};
use deed_diag::codes;
use deed_model::Rung;
use serde_json::Value;

/// Marks around what is struck out.
const MARKS: [(&str, &str); 4] = [("~~", "~~"), ("<s>", "</s>"), ("<del>", "</del>"), ("<strike>", "</strike>")];

/// Refuses a payload with a struck-out part in one of its texts.
pub(super) fn refuse_struck(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let is_it = &mut |_: &str, value: &Value| value.as_str().is_some_and(is_struck);
    if let Some(at) = first_place(repaired.payload, is_it) {
        let message = "a part of this text is struck out";
        let finding = Finding::blocking(Rung::L0, codes::VALUE_DISOWNED, &at, message);
        findings.add(finding.help("write the value that is meant, without what was struck out"));
    }
}

/// Returns whether a text has something between marks that strike it out.
fn is_struck(text: &str) -> bool {
    MARKS.iter().any(|(open, close)| {
        let inside = text.split_once(open).and_then(|(_, rest)| rest.split_once(close)).map(|(inside, _)| inside);
        inside.is_some_and(|inside| !inside.trim().is_empty())
    })
}
