//! Strings in the quotes of other languages: single, backtick, typographic, triple.

use super::ahead::{Follow, Place};
use super::string::Content;
use super::{End, Mender};
use crate::excerpt::items;
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

/// The quotes around a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Single,
    Backtick,
    /// “ ” „ ‟, and the last byte of the one that opens.
    Smart(u8),
    /// ‘ ’ ‚ ‛
    SmartSingle,
    Triple(&'static str),
}

impl Quotes {
    const fn kind(self) -> RepairKind {
        match self {
            Self::Single => RepairKind::SingleQuotes,
            Self::Backtick => RepairKind::BacktickQuotes,
            Self::Smart(_) | Self::SmartSingle => RepairKind::SmartQuotes,
            Self::Triple(_) => RepairKind::TripleQuotes,
        }
    }
}

impl Mender<'_> {
    pub(super) fn foreign(&mut self, place: Place) -> Result<End, Fault> {
        let (quotes, width) = self.quotes();
        self.push(Repair::replace(quotes.kind(), self.pos..self.pos + width, "\""));
        self.pos += width;
        let mut content = Content::new(self.pos);
        let mut pairs = Pairs::default();
        loop {
            self.skip_to_mark();
            let Some(byte) = self.peek() else {
                return match quotes {
                    Quotes::Triple(_) => Err(Fault::new(UnreadableKind::UnclosedString, content.start, self.pos)),
                    Quotes::Smart(_) if pairs.met > 0 => {
                        Err(Fault::new(UnreadableKind::UncertainQuotes, content.start, self.pos))
                    }
                    _ => self.cut_string(&content, place),
                };
            };
            match byte {
                b'\\' => {
                    if let Some(partial) = self.escape(&mut content.escapes)? {
                        return self.close_cut_string(&content, place, partial);
                    }
                }
                0x00..=0x1f => self.control(),
                b'$' if quotes == Quotes::Backtick && self.starts(self.pos, "${") => {
                    return Err(self.fault(UnreadableKind::Expression));
                }
                _ => match self.mark_inside(quotes, place, &mut pairs)? {
                    Mark::Closes(width) => {
                        content.escapes.settle()?;
                        if byte != b'"' || width == 3 {
                            self.push(Repair::replace(quotes.kind(), self.pos..self.pos + width, "\""));
                        }
                        self.pos += width;
                        return Ok(End::Whole);
                    }
                    Mark::Joins(next) => {
                        self.push(Repair::remove(RepairKind::JoinedStrings, self.pos..next));
                        self.pos = next;
                    }
                    Mark::Text => self.keep(quotes, byte),
                },
            }
        }
    }

    fn quotes(&self) -> (Quotes, usize) {
        match (self.peek(), self.byte(self.pos + 2)) {
            (Some(b'"'), _) => (Quotes::Triple("\"\"\""), 3),
            (Some(b'\''), _) if self.starts(self.pos, "'''") => (Quotes::Triple("'''"), 3),
            (Some(b'\''), _) => (Quotes::Single, 1),
            (Some(b'`'), _) => (Quotes::Backtick, 1),
            (_, Some(0x98..=0x9b)) => (Quotes::SmartSingle, 3),
            (_, last) => (Quotes::Smart(last.unwrap_or_default()), 3),
        }
    }

    /// Moves to the next byte that may matter.
    fn skip_to_mark(&mut self) {
        let rest = items(self.bytes, self.pos..);
        let mark = |b: &u8| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b'$' | 0x00..=0x1f | 0xe2);
        self.pos += rest.iter().position(mark).unwrap_or(rest.len());
    }

    /// What a quote of any sort means inside this string.
    fn mark_inside(&self, quotes: Quotes, place: Place, pairs: &mut Pairs) -> Result<Mark, Fault> {
        let smart = self.is_smart_quote(self.pos).then(|| self.byte(self.pos + 2)).flatten();
        match (quotes, self.peek(), smart) {
            (Quotes::Triple(mark), _, _) if self.starts(self.pos, mark) => Ok(Mark::Closes(3)),
            (Quotes::Single, Some(b'\''), _) | (Quotes::Backtick, Some(b'`'), _) => self.own_quote(place),
            (Quotes::SmartSingle, Some(b'\''), _) if self.closes(self.pos + 1, place) => Ok(Mark::Closes(1)),
            (Quotes::SmartSingle, _, Some(0x98..=0x9b)) => self.smart_single(place),
            (Quotes::Smart(_), Some(b'"'), _) if pairs.open == 0 && self.closes(self.pos + 1, place) => {
                Ok(Mark::Closes(1))
            }
            (Quotes::Smart(opener), _, Some(mark @ 0x9c..=0x9f)) => self.smart(opener, mark, place, pairs),
            _ => Ok(Mark::Text),
        }
    }

    /// A typographic quote in a string of such quotes: pairs of them may stand inside, as they do in any text.
    fn smart(&self, opener: u8, mark: u8, place: Place, pairs: &mut Pairs) -> Result<Mark, Fault> {
        // German opens with „ and closes with “, where English opens.
        let opens = mark == 0x9e || (mark == 0x9c && opener != 0x9e);
        if pairs.open > 0 && !opens {
            pairs.open -= 1;
            return Ok(Mark::Text);
        }
        if pairs.open == 0 && self.closes(self.pos + 3, place) {
            return Ok(Mark::Closes(3));
        }
        if !opens {
            return Err(self.fault(UnreadableKind::UncertainQuotes));
        }
        pairs.open += 1;
        pairs.met += 1;
        Ok(Mark::Text)
    }

    fn smart_single(&self, place: Place) -> Result<Mark, Fault> {
        if self.closes(self.pos + 3, place) {
            return Ok(Mark::Closes(3));
        }
        self.apostrophe(3)
    }

    /// A quote between two letters is an apostrophe; anywhere else it could be the end.
    fn apostrophe(&self, width: usize) -> Result<Mark, Fault> {
        let before = self.slice(0..self.pos).chars().next_back();
        let after = self.text.get(self.pos + width..).and_then(|rest| rest.chars().next());
        if before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric) {
            return Ok(Mark::Text);
        }
        Err(self.fault(UnreadableKind::UncertainQuotes))
    }

    /// The quote that the string was opened with: its end, or an apostrophe.
    fn own_quote(&self, place: Place) -> Result<Mark, Fault> {
        if self.closes(self.pos + 1, place) {
            return Ok(Mark::Closes(1));
        }
        if let (Follow::Joined(next), Place::Member | Place::Item) = (self.follow(self.pos + 1, place), place) {
            return Ok(Mark::Joins(next));
        }
        if self.peek() == Some(b'\'') { self.apostrophe(1) } else { Err(self.fault(UnreadableKind::UncertainQuotes)) }
    }

    /// A byte that belongs to the text; JSON wants a double quote escaped.
    fn keep(&mut self, quotes: Quotes, byte: u8) {
        if byte == b'"' {
            self.push(Repair::insert(quotes.kind(), self.pos, "\\"));
        }
        self.pos += if self.is_smart_quote(self.pos) { 3 } else { 1 };
    }
}

/// The pairs of typographic quotes inside a string.
#[derive(Default)]
struct Pairs {
    open: usize,
    met: usize,
}

/// What a quote inside a string does.
enum Mark {
    Closes(usize),
    Joins(usize),
    Text,
}
