//! Strings in quotes that come in pairs and open and close differently: « », ‹ ›, 「 」, 『 』.
//!
//! Such a pair may stand within itself, so the string ends where as many closed as opened. One blank at each end belongs
//! to the quotes, as French writes them.

use super::ahead::Place;
use super::string::Content;
use super::{End, Mender};
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

/// The pairs, in both directions where both are in use.
const PAIRS: [(&str, &str); 8] =
    [("«", "»"), ("»", "«"), ("‹", "›"), ("›", "‹"), ("「", "」"), ("『", "』"), ("《", "》"), ("〝", "〞")];
/// The blanks that French puts within its quotes.
const BLANKS: [char; 4] = ['\u{a0}', '\u{202f}', '\u{2009}', ' '];
/// Longer strings are not looked through for their closing quote.
const LONGEST: usize = 4096;

/// A pair of quotes: the one that opens and the one that closes.
pub(super) type Pair = (&'static str, &'static str);

impl Mender<'_> {
    /// The pair that opens at a place.
    pub(super) fn pair(&self, at: usize) -> Option<Pair> {
        if !matches!(self.byte(at), Some(0xc2 | 0xe2 | 0xe3)) {
            return None;
        }
        PAIRS.into_iter().find(|(open, _)| self.starts(at, open))
    }

    /// Where a pair that opens at a place closes.
    pub(super) fn pair_end(&self, at: usize, (open, close): Pair) -> Option<usize> {
        let mut depth = 0_usize;
        let mut pos = at;
        while self.byte(pos).is_some() && pos - at <= LONGEST {
            if self.starts(pos, close) && depth > 0 {
                depth -= 1;
                pos += close.len();
                if depth == 0 {
                    return Some(pos);
                }
            } else if self.starts(pos, open) {
                depth += 1;
                pos += open.len();
            } else {
                pos += 1;
            }
        }
        None
    }

    /// Reads a string in a pair of quotes.
    pub(super) fn paired(&mut self, place: Place, pair: Pair) -> Result<End, Fault> {
        let (open, close) = pair;
        let start = self.pos;
        let Some(end) = self.pair_end(start, pair) else {
            return Err(Fault::new(UnreadableKind::UnclosedString, start, self.bytes.len()));
        };
        let (inner, inner_end) = self.without_blanks(start + open.len(), end - close.len());
        if !self.closes(end, place) {
            return Err(Fault::new(UnreadableKind::UncertainQuotes, start, end));
        }
        self.push(Repair::replace(RepairKind::SmartQuotes, start..inner, "\""));
        self.pos = inner;
        let mut content = Content::new(inner);
        while self.pos < inner_end {
            match self.peek() {
                Some(b'\\') => {
                    if self.escape(&mut content.escapes)?.is_some() {
                        return Err(Fault::new(UnreadableKind::UnclosedString, start, end));
                    }
                }
                Some(b'"') => {
                    self.push(Repair::insert(RepairKind::SmartQuotes, self.pos, "\\"));
                    self.pos += 1;
                }
                Some(0x00..=0x1f) => self.control(),
                Some(_) => self.pos += 1,
                None => break,
            }
        }
        content.escapes.settle()?;
        self.push(Repair::replace(RepairKind::SmartQuotes, inner_end..end, "\""));
        self.pos = end;
        Ok(End::Whole)
    }

    /// The part of a string without the blanks that belong to its quotes: one at each end.
    fn without_blanks(&self, start: usize, end: usize) -> (usize, usize) {
        let text = self.slice(start..end);
        let front = text.chars().next().filter(|c| BLANKS.contains(c)).map(char::len_utf8);
        let back = text.chars().next_back().filter(|c| BLANKS.contains(c)).map(char::len_utf8);
        match (front, back) {
            (Some(front), Some(back)) if front + back <= text.len() => (start + front, end - back),
            _ => (start, end),
        }
    }
}
