//! Conceals secrets in what code printed, before anything is stored.

use deed_detect::SecretScanner;

/// The number of characters that are shown of a name that code gave.
const LONGEST_SHOWN: usize = 200;

/// Returns a name that code chose, as it is shown: without secrets, and short. A secret is looked for before anything
/// is cut, since half of one is not found.
pub(crate) fn shown_name(name: &str) -> String {
    bounded(name).chars().take(LONGEST_SHOWN).collect()
}

/// Returns a request of code as it is shown, without query and fragment.
pub(crate) fn shown_request(method: &str, url: &str) -> String {
    let whole = bounded(&format!("{method} {url}"));
    whole.split(['?', '#']).next().unwrap_or_default().chars().take(LONGEST_SHOWN).collect()
}

fn bounded(text: &str) -> String {
    secrets(&text.chars().take(LONGEST_SHOWN * 20).collect::<String>())
}

/// Returns whether a text holds a secret.
pub(crate) fn reveals(text: &str) -> bool {
    !SecretScanner::standard().scan(text).is_empty()
}

/// Returns a text with its secrets concealed.
pub(crate) fn secrets(text: &str) -> String {
    SecretScanner::standard().conceal(text).into_owned()
}
