//! Readings that a schema would allow and that still take a part of the text for something else.
//!
//! Text without quotes runs on until something ends it, so it may run over the next key; and a word before a value may
//! be a key whose colon was lost, or a plain word. In both cases the names that the schema declares decide.

use super::Judge;
use crate::repair::edit::Repair;
use crate::repair::kind::RepairKind;
use crate::spoken::is_given;

/// Whether every guess in a script agrees with the names that the schema declares.
pub(super) fn is_sound(text: &str, script: &[Repair], judge: &dyn Judge) -> bool {
    script.iter().all(|repair| match repair.kind {
        RepairKind::BarePhrase => !holds_key(&repair.inserted, judge),
        RepairKind::MissingColon => judge.knows(key_before(text, repair.at.start)),
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

/// Whether a sentence gives a declared key a value.
pub(super) fn gives_value(sentence: &str, judge: &dyn Judge) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut at = 0;
    sentence.split(|c: char| !is_name(c)).any(|word| {
        let end = at + word.len();
        at = end + sentence.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        !word.is_empty() && judge.knows(word) && is_given(sentence.get(end..).unwrap_or_default())
    })
}

/// The name that stands before a place, without its quotes.
fn key_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default().trim_end().trim_end_matches(['"', '\'', '`', '*']);
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.')))
        .map_or(0, |last| last + before.get(last..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    before.get(start..).unwrap_or_default()
}
