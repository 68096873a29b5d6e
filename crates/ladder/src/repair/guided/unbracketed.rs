//! A list that lost its brackets: `{"colors": red, black, blue}` where the schema asks for a list of these words.
//!
//! The schema must list the words, so that each is an item and none is a part of another value.

use super::{Judge, NO_WORD};
use crate::excerpt::excerpt;
use crate::repair::Reading;
use crate::repair::edit::{Repair, apply};
use crate::repair::kind::RepairKind;
use crate::repair::wrapped::composed;
use crate::repair::{read, repaired_text, strict};
use std::ops::Range;

/// Longer texts are not read so.
const LARGEST: usize = 1 << 16;
/// Places where a list may begin.
const MOST_PLACES: usize = 16;
/// Words of one list.
const MOST_WORDS: usize = 32;

/// The readings of a text with brackets around one of its lists.
pub(super) fn readings(text: &str, judge: &dyn Judge) -> Vec<Reading> {
    if text.len() > LARGEST || !text.contains('{') {
        return Vec::new();
    }
    runs(text).into_iter().take(MOST_PLACES).filter_map(|run| with_brackets(text, run, judge)).collect()
}

/// The runs of several words without quotes behind a colon, up to a closing bracket or the next key in quotes.
fn runs(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ':' if !quoted => found.extend(run(text, at + 1)),
            _ => {}
        }
    }
    found
}

/// The run of words that begins at a place.
fn run(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = excerpt(text, at..);
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = excerpt(text, start..);
    let end = rest.find(['}', ']', '{', '[', '"', ':', '\'', '\n'])?;
    let words = excerpt(rest, ..end).trim_end();
    let closes = matches!(rest.as_bytes().get(end), Some(b'}'));
    // A comma before the next key parts the list from it.
    let is_next = matches!(rest.as_bytes().get(end), Some(b'"')) && words.ends_with(',');
    let words = words.trim_end_matches(',');
    let count = words.split(',').count();
    ((closes || is_next) && (2..=MOST_WORDS).contains(&count)).then(|| start..start + words.len())
}

fn with_brackets(text: &str, run: Range<usize>, judge: &dyn Judge) -> Option<Reading> {
    let words: Vec<&str> = excerpt(text, run.clone()).split(',').map(str::trim).collect();
    if words.iter().any(|word| word.is_empty()) {
        return None;
    }
    let with = |words: &[&str]| {
        let list = serde_json::Value::from(words.to_vec()).to_string();
        let script = vec![Repair::replace(RepairKind::UnbracketedList, run.clone(), list)];
        let left = apply(text, 0..text.len(), &script);
        let below = read(&left).ok()?;
        let repairs = composed(text, &script, &below.repairs);
        let proven = strict::parse(&repaired_text(text, &repairs)).is_ok_and(|value| value == below.value);
        proven.then_some(Reading { value: below.value, repairs })
    };
    let reading = with(&words).filter(|reading| judge.allows(&reading.value))?;
    // Where any text may be an item, the words may be one text.
    let mut free = words.clone();
    if let Some(first) = free.first_mut() {
        *first = NO_WORD;
    }
    let is_listed = with(&free).is_none_or(|free| !judge.allows(&free.value));
    is_listed.then_some(reading)
}
