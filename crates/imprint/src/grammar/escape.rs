//! Keys and texts that begin like a token: a `\` before them tells them apart, both ways.
//!
//! The key `//` holds a remark of the template, so a key of that name is escaped too.

use super::token::WORDS;
use std::borrow::Cow;

/// The same text, so written that it does not read as a token.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if looks_like_token(text.trim_start_matches('\\')) { Cow::Owned(format!("\\{text}")) } else { Cow::Borrowed(text) }
}

/// The text that was escaped; others are left as they are.
pub(crate) fn unescaped(text: &str) -> &str {
    match text.strip_prefix('\\') {
        Some(rest) if looks_like_token(rest.trim_start_matches('\\')) => rest,
        _ => text,
    }
}

/// The key under which a template says something of an object.
pub(crate) const REMARK: &str = "//";

/// The same key, so written that it reads neither as a token nor as a remark.
pub(crate) fn escaped_key(key: &str) -> Cow<'_, str> {
    if key.trim_start_matches('\\') == REMARK { Cow::Owned(format!("\\{key}")) } else { escaped(key) }
}

/// The key that was escaped; others are left as they are.
pub(crate) fn unescaped_key(key: &str) -> &str {
    match key.strip_prefix('\\') {
        Some(rest) if rest.trim_start_matches('\\') == REMARK => rest,
        _ => unescaped(key),
    }
}

/// Returns true if a text begins with a brace and one of the words; what follows does not matter.
pub(super) fn looks_like_token(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('{') else { return false };
    WORDS.iter().any(|(word, _)| rest.strip_prefix(word).is_some_and(|tail| tail.starts_with(['|', '}', ':'])))
}

#[cfg(test)]
mod tests {
    use super::{escaped, escaped_key, unescaped, unescaped_key};

    #[test]
    fn escaping_of_keys_is_undone() {
        for key in ["", "//", "\\//", "\\\\//", "///", "{FILL}", "\\{KEY}", "a"] {
            assert_eq!(unescaped_key(&escaped_key(key)), key);
        }
        assert_eq!(escaped_key("//"), "\\//");
        assert_eq!(escaped("//"), "//");
    }

    #[test]
    fn escaping_is_undone() {
        for text in ["", "a", "{", "{FILL|string}", "\\{FILL}", "\\\\{REF: x", "{FILLED}", "{KEY", "\\a", "{OPTIONAL}"]
        {
            assert_eq!(unescaped(&escaped(text)), text);
        }
        assert_eq!(escaped("{FILL|string}"), "\\{FILL|string}");
        assert_eq!(escaped("{FILLED}"), "{FILLED}");
    }
}
