//! Text without quotes that is more than one plain word: phrases, dates, numbers with leading zeros.
//!
//! Whether text was meant only the schema can say, so phrases are read in a guided reading alone.

use super::ahead::Place;
use super::list::Sort;
use super::number::is_json;
use super::{End, Mark, Mender};
use crate::excerpt::excerpt;
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::{Certainty, RepairKind};
use crate::repair::read;
use crate::repair::unreadable::UnreadableKind;
use serde_json::Value;

/// Longer text without quotes is prose, and no value.
const LONGEST: usize = 2_000;

/// Whether a phrase stands for further items that were not written: `etc.`, `and so on`.
fn is_omission(phrase: &str) -> bool {
    const WORDS: [&str; 10] =
        ["etc", "etcetera", "et cetera", "and so on", "and so forth", "and more", "and others", "usw", "et al", "ff"];
    let plain = phrase.trim_end_matches('.').trim().to_lowercase();
    WORDS.contains(&plain.as_str())
}

/// Whether a phrase is an expression of a program or stands for no value: `b'…'`, `(y := 1)`, `/a+/g`, `void 0`, `(null)`.
fn is_code(phrase: &str) -> bool {
    let quoted = phrase.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let prefix = phrase.len() - quoted.len();
    let is_prefixed = (1..=2).contains(&prefix) && quoted.starts_with('\'') && phrase.ends_with('\'');
    let pattern = phrase.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
    let is_pattern = pattern.is_some_and(|(inner, flags)| {
        !inner.contains('/') && !flags.is_empty() && flags.chars().all(|flag| "dgimsuvy".contains(flag))
    });
    let is_bound = phrase.starts_with('(') && phrase.contains(":=");
    let is_nothing = matches!(phrase, "~" | "(null)" | "<null>" | "#N/A" | "void 0" | "void(0)");
    is_prefixed || is_pattern || is_bound || is_nothing
}

impl Mender<'_> {
    /// Reads the text from `start` to what ends a value at this place.
    pub(super) fn phrase(&mut self, start: usize, place: Place) -> Result<End, Fault> {
        let mut at = start;
        let refused = |at: usize| Fault::new(UnreadableKind::BareValue, start, at + 1);
        loop {
            let Some(byte) = self.byte(at).filter(|_| at - start <= LONGEST) else { return Err(refused(at)) };
            match byte {
                b',' | b';' if place == Place::Item || self.phrase_ends_at(at + 1, place) => break,
                b'}' if self.open.iter().any(|sort| *sort != Sort::Array) => break,
                b']' if self.open.contains(&Sort::Array) => break,
                b'\n' if self.line_ends_value(at, place) => break,
                b'/' if self.starts(at, "//") && self.byte(at.wrapping_sub(1)) == Some(b' ') => break,
                b'"' if self.closes(at + 1, place) => return self.without_opening_quote(start, at),
                // A call stands for what it returns, which is not known.
                b'(' if at > start && !self.byte(at - 1).is_some_and(|b| b.is_ascii_whitespace()) => {
                    return Err(refused(at));
                }
                b'\n' | b'"' | b'{' | b'[' | b'}' | b']' | b'\\' | b'`' | b'<' => return Err(refused(at)),
                _ => at += 1,
            }
        }
        let phrase = self.slice(start..at).trim_end();
        // Blanks are between the items only if nothing else is.
        let whole = self.byte(at) == Some(b']') && self.slice(0..start).trim_end().ends_with('[');
        let items = if place == Place::Item && whole { numbers(phrase) } else { None };
        let (end, quoted) = (start + phrase.len(), Value::from(phrase).to_string());
        if is_code(phrase) {
            return Err(refused(at));
        }
        if phrase.is_empty() || phrase.ends_with("...") || phrase.ends_with('…') || is_omission(phrase) {
            return Err(Fault::new(UnreadableKind::Placeholder, start, at));
        }
        self.meant = true;
        if let Some(items) = items {
            self.push(Repair::replace(RepairKind::MissingComma, start..end, items));
            self.pos = end;
            return Ok(End::Whole);
        }
        self.push(Repair::replace(RepairKind::BarePhrase, start..end, quoted));
        self.pos = end;
        Ok(End::Whole)
    }

    /// `('a', 'b')`: a list as Python writes one that does not change. One without quotes is read as text, and taken
    /// apart where a list is asked for.
    pub(super) fn tuple(&mut self, start: Mark) -> bool {
        let rest = excerpt(self.text, start.pos + 1..);
        let Some(end) = rest.find(')') else { return false };
        let inner = excerpt(rest, ..end);
        if !inner.contains(',') || !inner.contains(['"', '\'']) || inner.contains(['(', '\n']) {
            return false;
        }
        let read = read(&format!("[{inner}]")).ok().filter(|reading| reading.certainty() == Certainty::Exact);
        let Some(list) = read.map(|reading| reading.value) else { return false };
        self.script.truncate(start.edits);
        self.meant = true;
        self.pos = start.pos + end + 2;
        self.push(Repair::replace(RepairKind::ForeignLiteral, start.pos..self.pos, list.to_string()));
        true
    }

    /// `text"`: the quote that opens a string was lost.
    fn without_opening_quote(&mut self, start: usize, quote: usize) -> Result<End, Fault> {
        self.meant = true;
        let quoted = Value::from(self.slice(start..quote)).to_string();
        self.push(Repair::replace(RepairKind::MissingQuote, start..quote + 1, quoted));
        self.pos = quote + 1;
        Ok(End::Whole)
    }

    /// Whether a member begins after a comma. A word and a number may belong to the phrase: `Main Street, Apt 3`.
    fn phrase_ends_at(&self, from: usize, place: Place) -> bool {
        let next = self.past_space(from);
        let worded = !self.is_quote(next) && self.colonless_key_ahead(next) && !self.bare_key_ahead(next);
        self.part_ahead(from, place) && !worded
    }

    /// Whether a member, an item or a closing bracket begins after a line break.
    pub(super) fn line_ends_value(&self, at: usize, place: Place) -> bool {
        let next = self.past_space(at);
        match self.byte(next) {
            None => false,
            Some(b'}') => self.open.iter().any(|sort| *sort != Sort::Array),
            Some(b']') => self.open.contains(&Sort::Array),
            Some(_) if self.is_closing_mark(next) => true,
            Some(_) => match place {
                Place::Item => true,
                Place::Key | Place::Member if self.is_quote(next) => self.quoted_key_ahead(next),
                Place::Key | Place::Member => self.bare_key_ahead(next),
            },
        }
    }
}

/// Numbers with blanks between them, with commas in their place; none where the blanks may group the digits of one.
fn numbers(phrase: &str) -> Option<String> {
    let parts: Vec<&str> = phrase.split_whitespace().collect();
    let whole = |part: &str| part.split('.').next().map_or(0, |whole| whole.trim_start_matches('-').len());
    // `1 200` may be one number.
    let grouped = parts.windows(2).any(|pair| match pair {
        [one, two] => whole(one) <= 3 && !one.contains('.') && whole(two) == 3,
        _ => false,
    });
    (parts.len() > 1 && !grouped && parts.iter().all(|part| is_json(part))).then(|| parts.join(", "))
}
