//! Words without quotes that are text and may as well be another value: `allergies: none` where null is allowed too,
//! `colour: red, blue` where a list is, `level: 07` where a number is.

use super::Repaired;
use super::places::first_place;
use super::written::Written;
use crate::climb::{Finding, Findings};
use crate::rungs::about::about;
use crate::rungs::structure::is_nothing;
use deed_diag::{codes, quote};
use deed_imprint::ValueKind;
use deed_model::Rung;
use serde_json::Value;

/// Words that refer to something that the value does not have.
const REFERENCES: [&str; 8] =
    ["same as above", "see above", "as above", "ditto", "as before", "same as before", "see below", "same"];
/// Longer texts are sentences.
const LONGEST: usize = 120;

/// Refuses words without quotes that the schema takes as text and as another value.
pub(super) fn refuse_bare_words(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let written = Written::of(repaired.text, is_of_two_kinds);
    if let Some(at) = first_place(repaired.payload, &mut |at, value| is_open(repaired, &written, at, value)) {
        let word = repaired.payload.pointer(&at).and_then(Value::as_str).unwrap_or_default();
        let message = format!("{} without quotes can be read as text and as something else", quote(word));
        let finding = Finding::blocking(Rung::L0, codes::SEVERAL_TEXT_READINGS, &at, message);
        findings.add(finding.help("put text into double quotes; write other values as JSON"));
    }
}

/// Returns whether a text may be a literal, a list or a reference to something else.
fn is_of_two_kinds(text: &str) -> bool {
    text.len() <= LONGEST && (has_items(text) || refers(text) || literal(text).is_some())
}

fn has_items(text: &str) -> bool {
    text.contains([',', ';'])
}

fn refers(text: &str) -> bool {
    REFERENCES.contains(&text.to_lowercase().as_str())
}

/// Returns whether a text stands in the source without quotes and the schema takes the literal that it may mean.
fn is_open(repaired: Repaired<'_>, written: &Written<'_>, at: &str, value: &Value) -> bool {
    let Some(word) = value.as_str().filter(|word| !word.is_empty() && is_of_two_kinds(word)) else { return false };
    let expected = repaired.ladder.imprint.expected().along(repaired.payload, at);
    let is_listed = expected.choices().is_some_and(|choices| choices.contains(&value));
    let is_given = || about(repaired.ladder.imprint.schema().value(), at).names_text(word);
    let is_literal = literal(word).is_some_and(|literal| expected.fits(&literal));
    let is_list = has_items(word) && expected.takes(ValueKind::List) && !expected.is_anything();
    let is_open = !is_listed && (refers(word) || (is_literal || is_list) && expected.fits(value));
    is_open && !written.has_quoted(word) && !is_given()
}

/// The literal that a word may mean.
fn literal(word: &str) -> Option<Value> {
    match word.to_lowercase().as_str() {
        "yes" | "y" | "on" => Some(Value::Bool(true)),
        "no" | "n" | "off" => Some(Value::Bool(false)),
        "unknown" => None,
        _ if is_nothing(word) => Some(Value::Null),
        _ => padded(word),
    }
}

/// The number of digits with leading zeros, which may be a number and may be a code: `07`.
fn padded(word: &str) -> Option<Value> {
    let is_padded = word.len() > 1 && word.starts_with('0') && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_padded { word.parse::<u32>().ok().map(Value::from) } else { None }
}
