//! Text that was removed and gives a missing key its value: `{"id": 1} mode: safe`.
//!
//! A default in the place of that value would hide it. Prose names many things, so a name counts only with the mark that
//! follows a key, with a verb that gives it a value, or beside a value that the key may have.

use crate::embed::words;
use crate::naming::{same_but_style, same_words};
use deed_imprint::{Expected, ValueKind};
use serde_json::Value;

/// The words that give what stands before them a value.
const GIVES: [&str; 12] = ["is", "are", "was", "to", "as", "should", "must", "set", "be", "remains", "stays", "equals"];
/// The words that give it one where a number follows.
const GIVES_NUMBER: [&str; 4] = ["of", "at", "by", "up"];
/// The words that stand for a boolean.
const TRUTH: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "enabled", "disabled", "enable", "disable"];

/// Whether a removed text may give a key a value.
pub(super) fn gives_value(text: &str, key: &str, place: &Expected<'_>, default: Option<&Value>) -> bool {
    sentences(text).any(|sentence| {
        let found = mentions(sentence, key);
        let valued = || found.iter().any(|end| is_given(sentence.get(*end..).unwrap_or_default()));
        !found.is_empty() && (valued() || holds_value(sentence, place, default))
    })
}

/// The parts of a text that are sentences or lines.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.split(". ")).flat_map(|line| line.split("! ")).filter(|line| !line.is_empty())
}

/// The places behind the name of a key: as one name in any style, or as words of a sentence.
fn mentions(text: &str, key: &str) -> Vec<usize> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut runs: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    for run in text.split(|c: char| !is_name(c)) {
        if !run.is_empty() {
            runs.push((run, at + run.len()));
        }
        at += run.len() + text.get(at + run.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    let count = words(key).len().max(1);
    let one = runs.iter().filter(|(run, _)| same_but_style(run, key)).map(|(_, end)| *end);
    let several = runs.windows(count).filter(|window| {
        let joined: Vec<&str> = window.iter().map(|(run, _)| *run).collect();
        count > 1 && same_but_style(&joined.join(" "), key)
    });
    one.chain(several.filter_map(|window| window.last().map(|(_, end)| *end))).collect()
}

/// Whether what follows a name gives it a value.
fn is_given(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', '`', '*', ' ', '\t']);
    if rest.starts_with([':', '=', '→', '：']) || rest.starts_with("->") {
        return true;
    }
    let mut following = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (following.next().unwrap_or_default(), following.next().unwrap_or_default());
    let number = second.starts_with(|c: char| c.is_ascii_digit());
    GIVES.iter().any(|word| first.eq_ignore_ascii_case(word))
        || (number && GIVES_NUMBER.iter().any(|word| first.eq_ignore_ascii_case(word)))
}

/// Whether a sentence holds a value that the key may have, other than its default.
fn holds_value(sentence: &str, place: &Expected<'_>, default: Option<&Value>) -> bool {
    let spoken = words(sentence);
    let other = |choice: &&&Value| Some(**choice) != default;
    let chosen = |choice: &str| {
        let choice = words(choice);
        !choice.is_empty() && spoken.windows(choice.len()).any(|part| same_words(&part.join(" "), &choice.join(" ")))
    };
    let choices = place.choices().unwrap_or_default();
    if choices.iter().filter(other).filter_map(|choice| choice.as_str()).any(chosen) {
        return true;
    }
    let truth = || spoken.iter().any(|word| TRUTH.contains(&word.to_lowercase().as_str()));
    let digit = || sentence.contains(|c: char| c.is_ascii_digit());
    (place.takes_only(ValueKind::Boolean) && truth())
        || ((place.takes_only(ValueKind::Number) || place.takes_only(ValueKind::Integer)) && digit())
}
