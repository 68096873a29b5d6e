//! Rules out, in one pass over its text, that a JSON document can hold anything.
//!
//! A "no" is certain. Each value is scanned as `key="value"`, each key by itself. In the document they
//! stand as `"key":"value"`. Without escapes the bytes of both are the same, and what stands around them is
//! a quote, a bracket, a comma or a colon: no letter, digit or other mark that a detector would take for a
//! part of the value. So whatever a sieve goes by is in the document as well, save for two things. The
//! elements of an array are far from its name: the sieves doubt every telling name of an array. And escapes
//! hide what they stand for: a string with an escape is looked at once more without, behind the text that
//! stands before it, and a key with one is doubted at once.

use regex_syntax::Parser;
use regex_syntax::hir::LookSet;

use super::Guard;
use crate::bytes::{part, part_of};

/// The bytes of a key that are scanned together with a string that has escapes; more is never scanned.
const LONGEST_KEY: usize = 320;

/// The fewest digits of a number that its name alone makes a finding.
const FEWEST_DIGITS: usize = 9;

/// The reach of patterns: those that are clear find in a document what they find in a value of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// All do: they ask for nothing around the match but the edges of words.
    Clear,
    /// Some ask for the beginning or the end of a value, or could not be read.
    Blocked,
}

impl Sight {
    /// Determines it from the syntax of the patterns.
    pub(super) fn of(patterns: &[&str]) -> Self {
        let clear = |pattern: &&str| {
            Parser::new().parse(pattern).is_ok_and(|hir| {
                let looks = hir.properties().look_set();
                looks.iter().all(|look| {
                    let mut edges = LookSet::empty();
                    edges.set_insert(look);
                    edges.contains_word()
                })
            })
        };
        if patterns.iter().all(clear) { Self::Clear } else { Self::Blocked }
    }
}

/// Returns true if the document can hold anything; `false` is certain.
pub(super) fn may_hold_anything(guard: &Guard, json: &str) -> bool {
    guard.forbidden_in_json == Sight::Blocked || guard.may_hold(json) || may_hide_anything(guard, json)
}

/// Returns true if a string with escapes can hold anything.
fn may_hide_anything(guard: &Guard, json: &str) -> bool {
    let mut seen = String::new();
    let mut from = 0;
    while let Some(escape) = json.as_bytes().get(from..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let Some(string) = Escaped::around(json, from + escape) else {
            return true;
        };
        if string.is_key(json) {
            return true;
        }
        // The name of a list is too far away to be looked at with its elements, and makes bare digits telling.
        if !string.is_named(json) && string.has_digits(json) {
            return true;
        }
        seen.clear();
        seen.push_str(string.lead(json));
        if string.write(json, &mut seen).is_none() || guard.may_hold(&seen) {
            return true;
        }
        from = string.end;
    }
    false
}

/// A string with escapes, between its quotes.
struct Escaped {
    start: usize,
    end: usize,
}

impl Escaped {
    /// The string whose first escape is here.
    fn around(json: &str, escape: usize) -> Option<Self> {
        let bytes = json.as_bytes();
        // The first escape has no escaped quote before it.
        let start = memchr::memrchr(b'"', bytes.get(..escape)?)? + 1;
        let mut end = escape;
        loop {
            end += memchr::memchr2(b'"', b'\\', bytes.get(end..)?)?;
            match bytes.get(end)? {
                b'"' => return Some(Self { start, end }),
                _ => end += 2,
            }
        }
    }

    /// Returns true if the string names a member.
    fn is_key(&self, json: &str) -> bool {
        let behind = part(json.as_bytes(), self.end + 1..);
        behind.trim_ascii_start().first() == Some(&b':')
    }

    /// Returns true if a key stands right before the string.
    fn is_named(&self, json: &str) -> bool {
        let before = part_of(json, ..self.start);
        before.strip_suffix('"').is_some_and(|before| before.trim_ascii_end().ends_with(':'))
    }

    /// Returns true if there are digits enough for a number that a name would make telling.
    fn has_digits(&self, json: &str) -> bool {
        let text = part_of(json, self.start..self.end);
        text.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS
    }

    /// The text before the string: its quote, and the key it is under.
    fn lead<'j>(&self, json: &'j str) -> &'j str {
        let before = part_of(json, ..self.start);
        let key = |before: &'j str| {
            let key =
                before.strip_suffix('"')?.trim_ascii_end().strip_suffix(':')?.trim_ascii_end().strip_suffix('"')?;
            memchr::memrchr(b'"', key.as_bytes())
        };
        let far = json.ceil_char_boundary(self.start.saturating_sub(LONGEST_KEY));
        let from = key(before).unwrap_or(self.start - 1).max(far);
        part_of(before, from..)
    }

    /// Appends the string without its escapes and its last quote, or `None` where an escape is none.
    fn write(&self, json: &str, out: &mut String) -> Option<()> {
        let mut rest = json.get(self.start..self.end)?;
        while let Some((plain, escape)) = rest.split_once('\\') {
            out.push_str(plain);
            let (kind, after) = escape.split_at_checked(1)?;
            rest = after;
            match kind {
                "\"" | "\\" | "/" => out.push_str(kind),
                "b" => out.push('\u{8}'),
                "f" => out.push('\u{c}'),
                "n" => out.push('\n'),
                "r" => out.push('\r'),
                "t" => out.push('\t'),
                "u" => rest = write_unit(after, out)?,
                _ => return None,
            }
        }
        out.push_str(rest);
        out.push('"');
        Some(())
    }
}

/// Appends the character of a `\u` escape, of two where it is written in two halves.
fn write_unit<'j>(after: &'j str, out: &mut String) -> Option<&'j str> {
    let unit = |text: &'j str| {
        let (digits, rest) = text.split_at_checked(4)?;
        Some((u16::from_str_radix(digits, 16).ok()?, rest))
    };
    let (first, rest) = unit(after)?;
    let (units, rest) = match first {
        0xd800..=0xdbff => {
            let (second, rest) = unit(rest.strip_prefix("\\u")?)?;
            (vec![first, second], rest)
        }
        _ => (vec![first], rest),
    };
    out.push_str(&String::from_utf16(&units).ok()?);
    Some(rest)
}
