//! The guard over a text that no reader could parse.
//!
//! There are no values to look at one by one, but what a message quotes is the text, and an escape in it hides nothing
//! from a reader. So it is looked at as it stands, without its escapes, and piece by piece between its quotes.

use crate::excerpt::excerpt;
use deed_detect::{Finding, Guard};
use std::collections::HashSet;

/// How often escapes may stand in escapes: the text of a text of a text.
const MOST_LAYERS: usize = 3;

/// What came of it.
pub(super) struct Looked {
    /// What was found, each rule once; ranges mean nothing.
    pub(super) found: Vec<Finding>,
    /// Whether anything may be there that was not found.
    pub(super) suspicious: bool,
}

/// Looks at a text.
pub(super) fn look(guard: &Guard, text: &str) -> Looked {
    let mut found = guard.scan(text);
    let mut suspicious = guard.may_hold_anything(text);
    if suspicious {
        found.extend(pieces(guard, text));
    }
    let mut layer = text.to_owned();
    for _ in 0..MOST_LAYERS {
        let inner = unescaped(&layer);
        if inner == layer {
            break;
        }
        if guard.may_hold_anything(&inner) {
            suspicious = true;
            found.extend(guard.scan(&inner));
            found.extend(pieces(guard, &inner));
        }
        layer = inner;
    }
    let mut said = HashSet::new();
    found.retain(|finding| said.insert(finding.rule_id.clone()));
    Looked { found, suspicious }
}

/// What is found in a text around a payload; what only its escapes hid is of the whole text.
pub(super) fn around(guard: &Guard, text: &str) -> Vec<Finding> {
    let mut found = guard.scan(text);
    if text.contains('\\') {
        let hidden = guard.scan(&unescaped(text)).into_iter();
        let new: Vec<Finding> = hidden.filter(|f| found.iter().all(|known| known.rule_id != f.rule_id)).collect();
        found.extend(new.into_iter().map(|finding| Finding { range: 0..text.len(), ..finding }));
    }
    found
}

/// What is found in the pieces between quotes, each under the name that stands before it.
fn pieces(guard: &Guard, text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let (mut name, mut between) = (String::new(), String::new());
    for piece in split(text) {
        let piece = unescaped(piece);
        let key = Some(name.as_str()).filter(|name| !name.is_empty() && between.trim() == ":");
        found.extend(guard.scan_value(key, &piece));
        let bare = piece.trim().trim_matches([',', ':', '{', '}', '[', ']']).trim();
        if bare.len() < piece.len() {
            found.extend(guard.scan_value(None, bare));
        }
        name = std::mem::replace(&mut between, piece);
    }
    found
}

/// A text cut at its quotes, those that are escaped left in.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    text.split(move |c: char| {
        let cut = !escaped && matches!(c, '"' | '\'' | '`' | '\n');
        escaped = c == '\\' && !escaped;
        cut
    })
}

/// A text without its escapes; what is no escape stays.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        if !plain.is_empty() {
            flush(&mut units, &mut out);
        }
        out.push_str(plain);
        let unit = escape.strip_prefix('u').and_then(|digits| u16::from_str_radix(digits.get(..4)?, 16).ok());
        if let Some(unit) = unit {
            units.push(unit);
            rest = excerpt(escape, 5..);
            continue;
        }
        flush(&mut units, &mut out);
        let mut chars = escape.chars();
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some(c @ ('"' | '\'' | '\\' | '/' | '`')) => out.push(c),
            Some(c) => out.extend(['\\', c]),
            None => out.push('\\'),
        }
        rest = chars.as_str();
    }
    flush(&mut units, &mut out);
    out.push_str(rest);
    out
}

fn flush(units: &mut Vec<u16>, out: &mut String) {
    out.push_str(&String::from_utf16_lossy(units));
    units.clear();
}

#[cfg(test)]
mod tests {
    use super::{split, unescaped};

    #[test]
    fn escapes_are_read_as_far_as_they_are_any() {
        assert_eq!(unescaped(r#"a\u0040b \"c\" \ud83d\ude00 \q \"#), "a@b \"c\" \u{1f600} \\q \\");
        assert_eq!(unescaped(r"\\u0040"), r"\u0040");
    }

    #[test]
    fn a_text_is_cut_at_quotes_that_are_not_escaped() {
        assert_eq!(split(r#"{"a\"b": 'c'}"#).collect::<Vec<_>>(), ["{", r#"a\"b"#, ": ", "c", "}"]);
    }
}
