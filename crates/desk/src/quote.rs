//! Quotes held to the evidence that they name: without regard to lines and case.

use serde_json::Value;

/// Characters of a quote that a message shows.
const SHOWN: usize = 80;

/// A text with single blanks between its words, in lower case: quotes are compared without regard to lines and case.
pub(crate) fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Returns the beginning of a quote, for messages.
pub(crate) fn shown(quote: &str) -> String {
    quote.chars().take(SHOWN).collect()
}

/// Returns whether a quote, made plain, stands in a value: in its text, in one of its texts, or in its JSON. What stands in
/// brackets is left out of it, as the pack may have redacted that.
pub(crate) fn stands_in(value: &Value, quote: &str) -> bool {
    let whole = plain(&value.to_string());
    let is_in = |part: &str| holds(value, part) || whole.contains(part);
    is_in(quote) || outside_brackets(quote).all(|part| is_in(part.trim()))
}

/// The parts of a text between its brackets; all of it, if it has none.
fn outside_brackets(text: &str) -> impl Iterator<Item = &str> {
    text.split('[').enumerate().map(|(index, part)| match part.split_once(']') {
        Some((_, rest)) if index > 0 => rest,
        _ => part,
    })
}

/// Returns whether a quote has words outside of its brackets: without any, nothing is compared.
pub(crate) fn says_something(quote: &str) -> bool {
    outside_brackets(quote).any(|part| !part.trim().is_empty())
}

fn holds(value: &Value, quote: &str) -> bool {
    match value {
        Value::String(text) => plain(text).contains(quote),
        Value::Array(items) => items.iter().any(|item| holds(item, quote)),
        Value::Object(map) => map.values().any(|inner| holds(inner, quote)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
