//! Prose that gives a key a value: `mode: safe`, `the limit is 5`.

use crate::embed::words;
use crate::naming::same_but_style;
use serde_json::Value;

/// The words that give what stands before them a value.
const GIVES: [&str; 12] = ["is", "are", "was", "to", "as", "should", "must", "set", "be", "remains", "stays", "equals"];
/// The words that give it one where a number follows.
const GIVES_NUMBER: [&str; 4] = ["of", "at", "by", "up"];
/// The labels of prose, which are no keys there.
const LABELS: [&str; 9] = ["note", "notes", "result", "answer", "output", "response", "explanation", "example", "data"];

/// Whether a text names a key and writes a value behind it, as members and settings do.
pub(crate) fn writes_value_of(text: &str, key: &str) -> bool {
    let is_label = LABELS.iter().any(|label| same_but_style(label, key));
    let written = |rest: &str| {
        let rest = rest.trim_start_matches(['"', '\'', '`', '*', ' ', '\t']);
        rest.strip_prefix([':', '=']).is_some_and(|value| !value.trim().is_empty())
    };
    let gives = |sentence: &str| {
        mentions(sentence, key).into_iter().any(|end| written(sentence.get(end..).unwrap_or_default()))
    };
    !is_label && sentences(text).any(gives)
}

/// Whether a text writes a value behind the name of a key that is not this boolean, number or choice.
pub(crate) fn writes_another(text: &str, key: &str, own: &Value) -> bool {
    let own: Vec<String> = match own {
        Value::Bool(true) => vec!["true".to_owned(), "yes".to_owned(), "on".to_owned()],
        Value::Bool(false) => vec!["false".to_owned(), "no".to_owned(), "off".to_owned()],
        Value::String(text) => vec![text.to_lowercase()],
        other => vec![other.to_string()],
    };
    let another = |rest: &str| {
        let rest = rest.trim_start_matches(['"', '\'', '`', '*', ' ', '\t']);
        let Some(value) = rest.strip_prefix([':', '=']) else { return false };
        let value = value.split([',', '}', ';']).next().unwrap_or_default().to_lowercase();
        let value = value.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
        // A sentence that names the value as well explains it.
        !value.is_empty() && !own.iter().any(|own| value.contains(own.as_str()))
    };
    sentences(text)
        .any(|sentence| mentions(sentence, key).into_iter().any(|end| another(sentence.get(end..).unwrap_or_default())))
}

/// The parts of a text that are sentences or lines.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.split(". ")).flat_map(|line| line.split("! ")).filter(|line| !line.is_empty())
}

/// The places behind the name of a key: as one name in any style, or as words of a sentence.
pub(crate) fn mentions(text: &str, key: &str) -> Vec<usize> {
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
pub(crate) fn is_given(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', '`', '*', ' ', '\t']);
    if let Some(value) = rest.strip_prefix([':', '=', '→', '：']).or_else(|| rest.strip_prefix("->")) {
        // A colon at the end leads to what follows, which is the value itself.
        return !value.trim_matches(['*', '`', ' ', '\t', '\r']).is_empty();
    }
    let mut following = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (following.next().unwrap_or_default(), following.next().unwrap_or_default());
    let number = second.starts_with(|c: char| c.is_ascii_digit());
    GIVES.iter().any(|word| first.eq_ignore_ascii_case(word))
        || (number && GIVES_NUMBER.iter().any(|word| first.eq_ignore_ascii_case(word)))
}
