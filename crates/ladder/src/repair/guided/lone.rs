//! A single word, number or literal as the whole payload, with or without a label before it.
//!
//! A sentence is text too. So a word counts only where the schema tells words apart; the judge is asked with a text that
//! no schema means.

use super::{Judge, NO_WORD};
use crate::repair::Reading;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use serde_json::Value;

/// Longer than any word or number that answers a question by itself.
const LONGEST: usize = 120;

/// The readings of a text that is one value, or a label and one value.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    let bare = stripped(text);
    if bare.is_empty() || bare.len() > LONGEST || bare.contains(['\n', '{', '}', '[', ']', '<', '>']) {
        return Vec::new();
    }
    let labelled = bare.split_once(": ").map(|(_, value)| stripped(value)).filter(|value| !value.is_empty());
    let spans = [Some(bare), labelled];
    let tells_words_apart = !judge.allows(&Value::from(NO_WORD));
    let mut readings = Vec::new();
    for part in spans.into_iter().flatten() {
        let word = tells_words_apart.then(|| Value::from(part));
        for value in [literal(part), word].into_iter().flatten() {
            let repair = Repair::replace(RepairKind::LoneValue, 0..text.len(), value.to_string());
            readings.push(Reading { value, repairs: vec![repair] });
        }
    }
    readings
}

/// A text without the marks that may stand around an answer.
fn stripped(text: &str) -> &str {
    let marks =
        |c: char| c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'' | '“' | '”' | '\u{feff}' | '\u{200b}');
    let inner = text.trim_matches(marks);
    let inner = inner.strip_prefix("json\n").or_else(|| inner.strip_prefix("text\n")).unwrap_or(inner);
    let inner = inner.trim_matches(marks);
    inner.strip_suffix('.').unwrap_or(inner).trim_matches(marks)
}

/// The number, boolean or null that a text is, in JSON or Python.
pub(super) fn literal(text: &str) -> Option<Value> {
    match text {
        "True" | "TRUE" => return Some(Value::Bool(true)),
        "False" | "FALSE" => return Some(Value::Bool(false)),
        "None" | "NULL" | "Null" => return Some(Value::Null),
        _ => {}
    }
    deed_canon::parse(text.as_bytes()).ok().filter(|value| value.is_number() || value.is_boolean() || value.is_null())
}
