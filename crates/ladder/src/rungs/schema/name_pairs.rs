//! Lists of people written without quotes: in `[Smith, John, Taylor, James]` a comma may separate people, or the family name
//! of one person from the first name.

use super::Repaired;
use super::places::first_place;
use super::written::Written;
use crate::climb::{Finding, Findings};
use crate::embed::words;
use crate::prose::is_of_sentence;
use crate::rungs::about::about;
use deed_canon::Pointer;
use deed_diag::codes;
use deed_imprint::ValueKind;
use deed_model::Rung;
use serde_json::Value;

/// Words by which a schema says that a list holds people.
const PEOPLE: [&str; 44] = [
    "name",
    "names",
    "person",
    "persons",
    "people",
    "author",
    "authors",
    "attendee",
    "attendees",
    "participant",
    "participants",
    "member",
    "members",
    "guest",
    "guests",
    "passenger",
    "passengers",
    "patient",
    "patients",
    "student",
    "students",
    "employee",
    "employees",
    "staff",
    "crew",
    "player",
    "players",
    "candidate",
    "candidates",
    "contact",
    "contacts",
    "customer",
    "customers",
    "reviewer",
    "reviewers",
    "approver",
    "approvers",
    "signer",
    "signers",
    "speaker",
    "speakers",
    "colleagues",
    "witnesses",
    "winners",
];

/// Refuses lists of people whose names were written without quotes and may stand in pairs.
pub(super) fn refuse_name_pairs(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let written = Written::of(repaired.text, is_run);
    let is_list = |at: &str, value: &Value| match value {
        Value::Array(items) => is_paired(repaired, at, items) || is_run_together(&written, items),
        Value::String(only) => is_run(only) && is_wrapped_run(repaired, &written, at, value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    };
    if let Some(at) = first_place(repaired.payload, &mut |at, value| is_list(at, value)) {
        let message = "names without quotes can be told apart in several ways";
        let finding = Finding::blocking(Rung::L0, codes::SEVERAL_TEXT_READINGS, &at, message);
        findings.add(finding.help("put each name into double quotes"));
    }
}

/// Returns whether a text is a run of three or more words.
fn is_run(text: &str) -> bool {
    text.split_whitespace().nth(2).is_some() && !text.contains([',', ';'])
}

/// Returns whether a list is one run of three or more words, which may be several items: between brackets, as in `[New York
/// Boston]`, or without quotes, as in `tags: light house boat`. Words without brackets that hold one of a sentence (`call
/// the customer`) are one item.
fn is_run_together(written: &Written<'_>, items: &[Value]) -> bool {
    let [Value::String(only)] = items else { return false };
    is_run(only) && (written.has_bracketed(only) || is_bare_run(written, only))
}

/// Returns whether a run of words stands where the schema asks for a list, which it would become the only item of.
fn is_wrapped_run(repaired: Repaired<'_>, written: &Written<'_>, at: &str, value: &Value) -> bool {
    let expected = repaired.ladder.imprint.expected().along(repaired.payload, at);
    let is_list = expected.takes(ValueKind::List) && !expected.is_anything() && !expected.fits(value);
    is_list && is_run_together(written, std::slice::from_ref(value))
}

/// Returns whether words stand in a text without quotes, and could be a list of words or names.
fn is_bare_run(written: &Written<'_>, words: &str) -> bool {
    let is_plain = |word: &str| word.chars().all(char::is_alphabetic) && !is_of_sentence(&word.to_lowercase());
    words.split_whitespace().all(is_plain) && !written.has_quoted(words)
}

/// Returns whether a list holds an even number of single capitalised words that the text writes without quotes, where the
/// schema says that they are people.
fn is_paired(repaired: Repaired<'_>, at: &str, items: &[Value]) -> bool {
    let is_name = |name: &str| name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphabetic);
    let all_names = || items.iter().all(|item| item.as_str().is_some_and(is_name));
    if items.is_empty() || items.len() % 2 == 1 || !all_names() {
        return false;
    }
    let names: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
    let key = Pointer::tokens(at).last().unwrap_or_default();
    let item = format!("{at}/0");
    let schema = repaired.ladder.imprint.schema().value();
    let said = format!("{key} {} {}", about(schema, at).description, about(schema, &item).description);
    let of_people = words(&said).iter().any(|word| PEOPLE.contains(&word.to_lowercase().as_str()));
    of_people && [", ", ","].iter().any(|comma| repaired.text.contains(&names.join(comma)))
}
