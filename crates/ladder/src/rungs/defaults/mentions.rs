//! Text that was removed and gives a missing key its value: `{"id": 1} mode: safe`.
//!
//! A default in the place of that value would hide it. Prose names many things, so a name counts only with the mark that
//! follows a key, with a verb that gives it a value, or beside a value that the key may have.

use crate::embed::words;
use crate::excerpt::excerpt;
use crate::naming::same_words;
use crate::prose::{is_given, mentions, sentences};
use deed_imprint::{Expected, ValueKind};
use serde_json::Value;

/// The words that stand for a boolean.
const TRUTH: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "enabled", "disabled", "enable", "disable"];

/// The words that deny or confirm what they stand beside.
const JUDGES: [&str; 12] =
    ["not", "no", "without", "never", "zero", "none", "isn", "anymore", "already", "been", "except", "disable"];

/// Whether a removed text may give a key a value.
pub(super) fn gives_value(text: &str, key: &str, place: &Expected<'_>, default: Option<&Value>) -> bool {
    // A value that was left out may be the missing one itself.
    if text.trim_start().starts_with(['[', '{']) && holds_choice(text, place, default) {
        return true;
    }
    sentences(text).any(|sentence| {
        if is_choice(sentence, place, default) || is_denied(sentence, key) {
            return true;
        }
        let found = mentions(sentence, key);
        let valued = || found.iter().any(|end| is_given(excerpt(sentence, *end..)));
        !found.is_empty() && (valued() || holds_value(sentence, place, default))
    })
}

/// Whether a sentence is nothing but one of the values that the key lists, other than its default.
fn is_choice(sentence: &str, place: &Expected<'_>, default: Option<&Value>) -> bool {
    let spoken = words(sentence).join(" ");
    let other = |choice: &&&Value| Some(**choice) != default;
    let is = |choice: &str| !spoken.is_empty() && same_words(&spoken, &words(choice).join(" "));
    place.choices().unwrap_or_default().iter().filter(other).filter_map(|choice| choice.as_str()).any(is)
}

/// Whether a sentence names a key, or its plural, together with a word that denies or confirms it: `not active`,
/// `without TLS`, `already done`, `inactive`.
fn is_denied(sentence: &str, key: &str) -> bool {
    let spoken: Vec<String> = words(sentence).iter().map(|word| word.to_lowercase()).collect();
    let key = words(key).join("").to_lowercase();
    let stem = |word: &str| {
        word.strip_suffix("ies").map_or_else(|| word.trim_end_matches('s').to_owned(), |w| format!("{w}y"))
    };
    let named = |word: &&String| stem(word) == stem(&key);
    let opposite = |word: &String| ["in", "un", "non"].iter().any(|not| word.strip_prefix(not) == Some(key.as_str()));
    let judged = spoken.iter().any(|word| JUDGES.contains(&word.as_str()));
    spoken.iter().any(opposite)
        || (judged && spoken.iter().any(|word| named(&word)))
        || spoken.iter().any(|word| *word != key && named(&word)) && sentence.contains([':', '='])
}

/// Whether a text holds one of the values that the key lists, other than its default.
fn holds_choice(text: &str, place: &Expected<'_>, default: Option<&Value>) -> bool {
    let spoken = words(text);
    let other = |choice: &&&Value| Some(**choice) != default;
    let chosen = |choice: &str| {
        let choice = words(choice);
        !choice.is_empty() && spoken.windows(choice.len()).any(|part| same_words(&part.join(" "), &choice.join(" ")))
    };
    place.choices().unwrap_or_default().iter().filter(other).filter_map(|choice| choice.as_str()).any(chosen)
}

/// Whether a sentence holds a value that the key may have, other than its default.
fn holds_value(sentence: &str, place: &Expected<'_>, default: Option<&Value>) -> bool {
    if holds_choice(sentence, place, default) {
        return true;
    }
    let spoken = words(sentence);
    let truth = || spoken.iter().any(|word| TRUTH.contains(&word.to_lowercase().as_str()));
    let digit = || sentence.contains(|c: char| c.is_ascii_digit());
    (place.takes_only(ValueKind::Boolean) && truth())
        || ((place.takes_only(ValueKind::Number) || place.takes_only(ValueKind::Integer)) && digit())
}
