//! Looking ahead: does what follows a quote show that the string ends there?

use super::list::Sort;
use super::{Latitude, Mender, gap};

/// Where a value or key stands, which decides what may follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Key,
    Member,
    Item,
}

/// What follows a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    /// What must follow the end of a string at this place.
    Structure,
    /// A mark between key and value.
    Colon,
    /// `+` and another string, whose text begins there.
    Joined(usize),
    /// Another quote, and no sign of what it is.
    Quote,
    /// Anything else: text.
    Text,
}

/// The letters of a key without quotes.
pub(super) fn is_bare_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.' | '@')
}

impl Mender<'_> {
    /// True where the quote before `from` ends a string at this place.
    pub(super) fn closes(&self, from: usize, place: Place) -> bool {
        match (place, self.follow(from, place)) {
            (Place::Key, Follow::Colon) => true,
            (Place::Key, _) => self.byte(self.past_space(from)).is_none(),
            (Place::Member | Place::Item, follow) => follow == Follow::Structure,
        }
    }

    pub(super) fn follow(&self, from: usize, place: Place) -> Follow {
        let at = self.past_space(from);
        let Some(byte) = self.byte(at) else { return Follow::Structure };
        let structure = match byte {
            b',' | b';' => self.part_ahead(at + 1, place),
            b'}' | b']' if self.latitude == Latitude::Guided => !self.open.is_empty(),
            b'}' => self.open.iter().any(|sort| *sort != Sort::Array),
            b']' => self.open.contains(&Sort::Array),
            b':' | b'=' => return Follow::Colon,
            b'+' => return self.joined(from, at),
            b'/' => matches!(self.byte(at + 1), Some(b'/' | b'*')),
            b'#' => at > from,
            _ if self.starts(at, "：") => return Follow::Colon,
            _ if self.is_closing_mark(at) => true,
            _ if self.is_quote(at) => match place {
                Place::Item if at > from => true,
                Place::Member if self.quoted_key_ahead(at) && !self.ends_value(at, from) => true,
                Place::Key | Place::Member | Place::Item => return Follow::Quote,
            },
            b'{' | b'[' | b'0'..=b'9' | b'-' => place == Place::Item && self.new_line(from, at),
            _ => self.new_line(from, at) && place == Place::Member && self.bare_key_ahead(at),
        };
        if structure { Follow::Structure } else { Follow::Text }
    }

    /// Whether a quote right behind another one is followed by what ends a value, and not by a key.
    fn ends_value(&self, at: usize, from: usize) -> bool {
        let next = self.past_space(at + 1);
        at == from && matches!(self.byte(next), Some(b',' | b'}' | b']'))
    }

    /// True where a member or item, or the end of the list, can be seen after a separator.
    pub(super) fn part_ahead(&self, from: usize, place: Place) -> bool {
        let mut at = self.past_space(from);
        if self.byte(at) == Some(b'u') && self.is_quote(at + 1) {
            at += 1;
        }
        let Some(byte) = self.byte(at) else { return true };
        let seen = matches!(byte, b'}' | b']' | b',' | b'#')
            || (byte == b'/' && matches!(self.byte(at + 1), Some(b'/' | b'*')))
            || self.starts(at, "...")
            || self.starts(at, "…")
            || self.is_closing_mark(at);
        seen || match place {
            Place::Item if self.is_quote(at) => true,
            Place::Item => match byte {
                b'{' | b'[' | b'0'..=b'9' | b'-' | b'+' | b'.' => true,
                _ => self.bare_item_ahead(at),
            },
            Place::Key | Place::Member if self.latitude == Latitude::Guided && self.damaged_key_ahead(at) => true,
            Place::Key | Place::Member if self.is_quote(at) => self.quoted_key_ahead(at),
            Place::Key | Place::Member => self.bare_key_ahead(at),
        }
    }

    /// A quoted text and then a colon, or the end of the text on the way there.
    pub(super) fn quoted_key_ahead(&self, at: usize) -> bool {
        let Some(first) = self.byte(at) else { return true };
        if let Some(pair) = self.pair(at) {
            return self.pair_end(at, pair).is_none_or(|end| self.colon_ahead(end));
        }
        let mut pos = at + if first < 0x80 { 1 } else { 3 };
        loop {
            match self.byte(pos) {
                None => return true,
                Some(b'\\') => pos += 2,
                // A line break at the very end comes from whoever stored the text.
                Some(b'\n') => return self.byte(self.past_space(pos)).is_none(),
                Some(0xe2) if first == 0xe2 && self.is_smart_quote(pos) => {
                    pos += 2;
                    break;
                }
                Some(b) if b == first && first != 0xe2 => break,
                Some(_) => pos += 1,
            }
        }
        self.colon_ahead(pos + 1)
    }

    /// A word and then a colon, or the end of the text on the way there.
    pub(super) fn bare_key_ahead(&self, at: usize) -> bool {
        let end = self.bare_key_end(at);
        end > at && self.colon_ahead(end)
    }

    /// A word and then the end of an item.
    fn bare_item_ahead(&self, at: usize) -> bool {
        let end = self.bare_key_end(at);
        let next = self.past_space(end);
        end > at && (self.new_line(end, next) || matches!(self.byte(next), None | Some(b',' | b']' | b'}' | b';')))
    }

    fn colon_ahead(&self, from: usize) -> bool {
        let at = self.past_space(from);
        matches!(self.byte(at), None | Some(b':' | b'=')) || self.starts(at, "：")
    }

    /// `+` and a string in the same quotes as the one that ends before `from`.
    fn joined(&self, from: usize, plus: usize) -> Follow {
        let quote = from.checked_sub(1).and_then(|at| self.byte(at));
        let at = self.past_space(plus + 1);
        if quote.is_some() && self.byte(at) == quote { Follow::Joined(at + 1) } else { Follow::Text }
    }

    pub(super) fn past_space(&self, mut at: usize) -> usize {
        loop {
            match self.byte(at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
                Some(b'\\') if self.is_escaped_space(at) => at += 2,
                Some(0x80..) => match gap::foreign_space(self.text, at) {
                    Some(width) => at += width,
                    None => return at,
                },
                Some(_) | None => return at,
            }
        }
    }

    /// `\n` between tokens: a line break that was escaped with the text around it.
    pub(super) fn is_escaped_space(&self, at: usize) -> bool {
        self.byte(at) == Some(b'\\') && matches!(self.byte(at + 1), Some(b'n' | b'r' | b't'))
    }

    fn new_line(&self, from: usize, to: usize) -> bool {
        self.bytes.get(from..to).is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// Any quote that can begin a string; a fence is none.
    pub(super) fn is_quote(&self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'"' | b'\'') => true,
            Some(b'`') => !self.starts(at, "```"),
            Some(0xc2 | 0xe2 | 0xe3) => self.is_smart_quote(at) || self.pair(at).is_some(),
            Some(_) | None => false,
        }
    }

    /// One of ‘ ’ ‚ ‛ “ ” „ ‟.
    pub(super) fn is_smart_quote(&self, at: usize) -> bool {
        matches!(self.bytes.get(at..at + 3), Some([0xe2, 0x80, 0x98..=0x9f]))
    }
}
