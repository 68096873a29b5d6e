//! One value in the last sentence of a text that says so: `I counted the bridges twice. The answer is **7**.`
//!
//! The sentence names the answer, ends with a mark, and is the only one that does. A word that may turn any of the
//! sentences leaves no reading.

use super::Judge;
use super::lone::{TAKE_BACK, literal};
use crate::prose::{is_doubtful, sentences};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use serde_json::Value;

/// Longer than the few sentences that lead to an answer.
const LONGEST: usize = 600;
/// The sentences that end with a value.
const LEADS: [&str; 8] = [
    "the answer is ",
    "the final answer is ",
    "the correct answer is ",
    "the result is ",
    "the final result is ",
    "the total is ",
    "my answer is ",
    "the value is ",
];
/// Words that may stand before such a sentence.
const OPENINGS: [&str; 6] = ["so ", "so, ", "thus, ", "therefore, ", "hence, ", "hence "];

/// The reading of a text whose last sentence names the answer.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let trimmed = text.trim();
    if trimmed.len() > LONGEST || trimmed.contains(['{', '}', '[', ']', '?', '\u{2026}', '<']) {
        return Vec::new();
    }
    let found = concluded(trimmed).and_then(|inner| value(inner, judge));
    let repair = |value: &Value| Repair::replace(RepairKind::LoneValue, 0..text.len(), value.to_string());
    found.map_or_else(Vec::new, |value| vec![Reading { repairs: vec![repair(&value)], value }])
}

/// The words behind `The answer is` in the last of several sentences.
fn concluded(text: &str) -> Option<&str> {
    let at = [". ", ".\n", "! ", "!\n"].iter().filter_map(|end| text.rfind(end)).max()?;
    let last = text.get(at + 2..)?.trim();
    // ASCII letters keep their width, so a place in the one is a place in the other.
    let lower = last.to_ascii_lowercase();
    let opening = OPENINGS.iter().find(|opening| lower.starts_with(*opening)).map_or(0, |opening| opening.len());
    let lead = LEADS.iter().find(|lead| lower.get(opening..).is_some_and(|rest| rest.starts_with(*lead)))?;
    let written = last.get(opening + lead.len()..)?;
    // Without a mark behind it the value may go on.
    let ended = written.strip_suffix(['.', '!']).or_else(|| written.ends_with("**").then_some(written))?;
    let inner = ended.trim_matches(['*', '`', ' ']).trim_end_matches('.');
    let before = text.get(..=at)?;
    let is_named_before = LEADS.iter().any(|lead| before.to_ascii_lowercase().contains(lead));
    let turns = |word: &str| TAKE_BACK.contains(&word) || is_doubtful(word) || word.ends_with("n't");
    let words = before.to_lowercase().replace('\u{2019}', "'");
    let is_turned = words.split(|c: char| !(c.is_alphanumeric() || c == '\'')).any(turns);
    let is_one = !inner.is_empty() && !inner.contains(['*', '`', ',', ';', ':']) && sentences(inner).count() == 1;
    (is_one && !is_named_before && !is_turned).then_some(inner)
}

/// The value that the words are: a literal, or a text where the schema takes it and tells texts apart.
fn value(inner: &str, judge: &dyn Judge) -> Option<Value> {
    let takes = |value: &Value| judge.allows(value) || judge.accepts(value);
    let no_word = Value::from(super::NO_WORD);
    let word = Some(Value::from(inner)).filter(|word| takes(word) && !takes(&no_word));
    literal(inner).filter(takes).or(word)
}
