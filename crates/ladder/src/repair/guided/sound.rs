//! Readings that a schema would allow and that still take a part of the text for something else.
//!
//! Text without quotes runs on until something ends it, so it may run over the next key; and a word before a value may
//! be a key whose colon was lost, or a plain word. In both cases the names that the schema declares decide.

use super::Judge;
use crate::excerpt::excerpt;
use crate::prose::is_given;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::repair::mend::is_json_number;
use deed_canon::Pointer;
use serde_json::Value;

/// The shortest integers that a double may not hold.
const LARGE: usize = 16;
/// Places with large digits that are tried as numbers.
const MOST_PLACES: usize = 64;

/// Whether every guess in a script agrees with the names that the schema declares.
pub(super) fn is_sound(text: &str, script: &[Repair], judge: &dyn Judge) -> bool {
    script.iter().all(|repair| match repair.kind {
        RepairKind::BarePhrase => !holds_key(repair.inserted(), judge),
        RepairKind::MissingColon => judge.knows(key_before(text, repair.at().start)),
        _ => true,
    })
}

/// Whether a text holds a declared key with the mark that follows a key.
pub(super) fn holds_key(text: &str, judge: &dyn Judge) -> bool {
    text.match_indices([':', '=']).any(|(mark, _)| {
        let name = key_before(text, mark);
        let start = text.get(..mark).and_then(|before| before.rfind(name)).unwrap_or(0);
        start > 0 && !name.is_empty() && judge.knows(name)
    })
}

/// Digits that no number keeps, in quotes.
pub(super) fn is_digits(inserted: &str) -> bool {
    let digits = inserted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    is_large(digits.strip_prefix('-').unwrap_or(digits))
}

/// Digits that commas group, in quotes.
pub(super) fn is_grouped(inserted: &str) -> bool {
    let digits = inserted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    digits.contains(',') && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.' | b'-'))
}

/// Whether grouped digits may be a number and may as well be text: then nothing says which was meant.
pub(super) fn are_groups_open(value: &Value, judge: &dyn Judge) -> bool {
    judge.allows(value) && takes_number(value, judge)
}

fn is_large(digits: &str) -> bool {
    let is_beyond = || is_json_number(digits) && digits.parse::<f64>().is_ok_and(f64::is_infinite);
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    // `007` may be a number that was written with zeros, and may be text.
    let is_padded = digits.len() > 1 && digits.starts_with('0') && all_digits;
    (digits.len() >= LARGE && all_digits) || is_padded || is_beyond()
}

/// Whether a number could stand where a value has large digits as text: then text was not asked for, and the number that
/// was written cannot be kept.
pub(super) fn takes_number(value: &Value, judge: &dyn Judge) -> bool {
    let mut places = Vec::new();
    digit_places(value, String::new(), &mut places);
    places.len() > MOST_PLACES
        || places.iter().any(|place| {
            let mut other = value.clone();
            if let Some(digits) = other.pointer_mut(place) {
                *digits = Value::from(1);
            }
            judge.allows(&other)
        })
}

fn digit_places(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::String(text) if is_large(text.strip_prefix('-').unwrap_or(text)) => places.push(at),
        Value::String(text) if is_grouped(&format!("\"{text}\"")) => places.push(at),
        Value::Object(map) => {
            map.iter().for_each(|(key, inner)| digit_places(inner, Pointer::push(&at, key), places));
        }
        Value::Array(items) => {
            let places = &mut *places;
            items.iter().enumerate().for_each(|(index, inner)| digit_places(inner, format!("{at}/{index}"), places));
        }
        _ => {}
    }
}

/// Whether a sentence gives a declared key a value.
pub(super) fn gives_value(sentence: &str, judge: &dyn Judge) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut at = 0;
    sentence.split(|c: char| !is_name(c)).any(|word| {
        let end = at + word.len();
        at = end + sentence.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        !word.is_empty() && judge.knows(word) && is_given(excerpt(sentence, end..))
    })
}

/// The name that stands before a place, without its quotes.
fn key_before(text: &str, at: usize) -> &str {
    let before = excerpt(text, ..at).trim_end().trim_end_matches(['"', '\'', '`', '*']);
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.')))
        .map_or(0, |last| last + before.get(last..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    excerpt(before, start..)
}
