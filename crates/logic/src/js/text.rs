//! Strings by UTF-16 code units, in which JavaScript counts and compares.

use std::cmp::Ordering;

/// Compares by code units. The order differs from Rust's only between the astral planes and U+E000 to U+FFFF.
pub(crate) fn compare_utf16(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() {
        return a.cmp(b);
    }
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Returns `length` units from `start`; `None` if that would cut a character in two.
pub(crate) fn substring(text: &str, start: usize, length: usize) -> Option<String> {
    let units: Vec<u16> = text.encode_utf16().skip(start).take(length).collect();
    String::from_utf16(&units).ok()
}

/// Counts the units of a text.
pub(crate) fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// Returns the single unit at an index: nothing past the end, an error for half a character.
pub(crate) fn unit_at(text: &str, index: usize) -> Option<Option<String>> {
    if text.is_ascii() {
        return text.get(index..=index).map(|unit| Some(unit.to_owned()));
    }
    text.encode_utf16().nth(index).map(|unit| String::from_utf16(&[unit]).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_units_not_code_points() {
        assert_eq!(compare_utf16("\u{ff5e}", "\u{1f600}"), Ordering::Greater);
        assert_eq!(compare_utf16("a", "é"), Ordering::Less);
        assert_eq!(substring("a😀b", 1, 2), Some("😀".to_owned()));
        assert_eq!(substring("a😀b", 2, 2), None);
        assert_eq!(unit_at("😀", 0), Some(None));
        assert_eq!(unit_at("é", 0), Some(Some("é".to_owned())));
        assert_eq!(unit_at("é", 1), None);
    }
}
