//! Marks that were lost: a colon, or one of the quotes of a string or key. A guided reading puts them where the text
//! leaves one place; whether that was meant the schema says.

use super::ahead::{Follow, Place, is_bare_key};
use super::string::{Content, opens_inner};
use super::{End, Mark, Mender};
use crate::excerpt::excerpt;
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

/// The quotes met inside a string. They come in pairs; one that closes nothing would end the string, unless it is the
/// mark for inches behind a number.
#[derive(Default)]
struct InnerQuotes {
    open: bool,
    paired: bool,
    inches: bool,
}

impl InnerQuotes {
    /// Takes a quote between two characters; false where it may end the string.
    fn add(&mut self, before: Option<char>, after: Option<u8>) -> bool {
        let spaced = after.is_none_or(|byte| byte.is_ascii_whitespace());
        let closes = before.is_some_and(|c| !c.is_whitespace());
        if self.open && closes {
            self.open = false;
        } else if !self.open && opens_inner(before) && !spaced {
            (self.open, self.paired) = (true, true);
        } else if !self.open && before.is_some_and(|c| c.is_ascii_digit()) && after != Some(b',') {
            self.inches = true;
        } else {
            return false;
        }
        !(self.paired && self.inches)
    }
}

impl Mender<'_> {
    /// A string in double quotes whose own quotes are uncertain, read again from its opening quote: it ends at the first
    /// quote that structure follows, or before the next member where its closing quote was lost.
    pub(super) fn loose_string(&mut self, open: Mark, place: Place) -> Result<End, Fault> {
        self.pos = open.pos;
        self.script.truncate(open.edits);
        let content = open.pos + 1;
        let (mut inner, mut quotes): (Option<usize>, InnerQuotes) = (None, InnerQuotes::default());
        let mut at = content;
        loop {
            match self.byte(at) {
                None => return Err(Fault::new(UnreadableKind::UncertainQuotes, open.pos, at)),
                Some(b'\\') => at += 2,
                Some(b'\n') if inner.is_none() && self.line_ends_value(at, place) => {
                    let line = self.slice(content..at).trim_end();
                    let end = content + line.strip_suffix(',').unwrap_or(line).trim_end().len();
                    return self.close_loose(content, end, RepairKind::MissingQuote);
                }
                Some(b'"') => match self.follow(at + 1, place) {
                    Follow::Structure if quotes.open => {
                        return Err(Fault::new(UnreadableKind::UncertainQuotes, open.pos, at));
                    }
                    Follow::Structure => return self.close_loose(content, at, RepairKind::InnerQuotes),
                    Follow::Colon => return self.ends_before_key(content, inner, at),
                    // Two strings side by side may be two values.
                    Follow::Quote if self.byte(at + 1) != Some(b'"') => {
                        return Err(Fault::new(UnreadableKind::UncertainQuotes, open.pos, at));
                    }
                    Follow::Joined(_) | Follow::Quote | Follow::Text => {
                        let before = self.slice(content..at).chars().next_back();
                        if !quotes.add(before, self.byte(at + 1)) {
                            return Err(Fault::new(UnreadableKind::UncertainQuotes, open.pos, at));
                        }
                        inner = Some(at);
                        at += 1;
                    }
                },
                Some(_) => at += 1,
            }
        }
    }

    /// A key begins at the last inner quote: the string ended before the comma in front of it.
    fn ends_before_key(&mut self, content: usize, key: Option<usize>, at: usize) -> Result<End, Fault> {
        let refused = Fault::new(UnreadableKind::UncertainQuotes, content, at);
        let Some(key) = key else { return Err(refused) };
        let text = self.slice(content..key).trim_end();
        let Some(text) = text.strip_suffix(',').map(str::trim_end) else { return Err(refused) };
        // A quote of another sort may be the one that was meant to close it.
        if text.is_empty() || text.contains('"') || text.ends_with(['\'', '`', '’', '”']) {
            return Err(refused);
        }
        let end = content + text.len();
        self.close_loose(content, end, RepairKind::MissingQuote)
    }

    /// Writes the text of a string as JSON has it, and closes it at `end`.
    fn close_loose(&mut self, content: usize, end: usize, kind: RepairKind) -> Result<End, Fault> {
        let mut inside = Content::new(content);
        self.meant = true;
        self.pos = content;
        while self.pos < end {
            self.skip_plain();
            if self.pos >= end {
                break;
            }
            match self.peek() {
                Some(b'"') => {
                    self.push(Repair::insert(RepairKind::InnerQuotes, self.pos, "\\"));
                    self.pos += 1;
                }
                Some(b'\\') => {
                    self.escape(&mut inside.escapes)?;
                }
                Some(_) | None => self.control(),
            }
        }
        inside.escapes.settle()?;
        self.pos = end;
        if kind == RepairKind::MissingQuote {
            self.push(Repair::insert(kind, end, "\""));
        } else {
            self.pos += 1;
        }
        Ok(End::Whole)
    }

    /// No colon follows a key: its closing quote was lost, or the colon itself.
    pub(super) fn lost_colon(&mut self, key: (Mark, Mark)) -> Result<(), Fault> {
        let refused = self.fault(UnreadableKind::MissingColon);
        let (start, end) = key;
        let raw = self.slice(start.pos..end.pos);
        let quoted = raw.strip_prefix('"').map(|raw| raw.strip_suffix('"').unwrap_or(raw));
        if let Some((word, _)) = quoted.and_then(|content| content.split_once(':')) {
            let name = word.trim_end();
            if name.is_empty() || !name.chars().all(is_bare_key) {
                return Err(refused);
            }
            let (name_end, colon) = (start.pos + 1 + name.len(), start.pos + 1 + word.len());
            self.script.truncate(start.edits);
            self.push(Repair::insert(RepairKind::MissingQuote, name_end, "\""));
            self.pos = colon + 1;
            return Ok(());
        }
        if end.pos == self.pos || !self.value_ahead() {
            return Err(refused);
        }
        self.script.insert(end.edits.min(self.script.len()), Repair::insert(RepairKind::MissingColon, end.pos, ":"));
        Ok(())
    }

    /// Whether a value begins here that cannot be a key: a number, a bracket, a literal, or a string without a colon.
    pub(super) fn value_ahead(&self) -> bool {
        let literals = ["true", "false", "null", "True", "False", "None"];
        match self.peek() {
            Some(b'0'..=b'9' | b'-' | b'{' | b'[') => true,
            Some(_) if self.is_quote(self.pos) => !self.quoted_key_ahead(self.pos),
            Some(_) => literals.iter().any(|literal| self.starts(self.pos, literal)) || self.word_ahead(),
            None => false,
        }
    }

    /// Whether one word without quotes stands here that ends its member: `"level" high,`.
    fn word_ahead(&self) -> bool {
        let end = self.bare_key_end(self.pos);
        end > self.pos && matches!(self.byte(self.past_space(end)), Some(b',' | b'}'))
    }

    /// `"name: 1`: the quote that closes a key was lost, and no other quote ends it.
    pub(super) fn key_without_closing_quote(&mut self, start: Mark) -> Option<End> {
        let rest = self.text.get(start.pos + 1..)?;
        let name = rest.get(..rest.find(|c| !is_bare_key(c))?)?;
        let end = start.pos + 1 + name.len();
        if name.is_empty() || self.byte(self.past_space(end)) != Some(b':') {
            return None;
        }
        self.script.truncate(start.edits);
        self.push(Repair::insert(RepairKind::MissingQuote, end, "\""));
        self.pos = end;
        Some(End::Whole)
    }

    /// Whether a key begins here that lost its colon or one of its quotes.
    pub(super) fn damaged_key_ahead(&self, at: usize) -> bool {
        self.colonless_key_ahead(at) || self.half_quoted_key_ahead(at)
    }

    /// `"name: ` or `name": `: a key with one of its quotes.
    fn half_quoted_key_ahead(&self, at: usize) -> bool {
        let quoted = self.byte(at) == Some(b'"');
        let start = if quoted { at + 1 } else { at };
        let end = self.bare_key_end(start);
        let closed = self.byte(end) == Some(b'"');
        let colon = self.past_space(if closed { end + 1 } else { end });
        end > start && quoted != closed && self.byte(colon) == Some(b':')
    }

    /// Whether a key whose colon was lost, and its value, begin here.
    pub(super) fn colonless_key_ahead(&self, at: usize) -> bool {
        let rest = excerpt(self.text, at..);
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.find(['"', '\n']).filter(|end| *end > 0));
        let end = match quoted {
            Some(end) => at + end + 2,
            None => self.bare_key_end(at),
        };
        let value = self.past_space(end);
        let valued = matches!(self.byte(value), Some(b'0'..=b'9' | b'-' | b'{' | b'[' | b'"'));
        end > at && value > end && valued && !rest.starts_with(|c: char| c.is_ascii_digit())
    }

    /// `name": 1`: the quote that opens a key was lost.
    pub(super) fn key_without_opening_quote(&mut self, start: usize) -> Option<End> {
        let quote = self.bare_key_end(start);
        let colon = self.past_space(quote + 1);
        if quote == start || self.byte(quote) != Some(b'"') || self.byte(colon) != Some(b':') {
            return None;
        }
        self.push(Repair::insert(RepairKind::MissingQuote, start, "\""));
        self.pos = quote + 1;
        Some(End::Whole)
    }

    /// `name "value"`: a key without quotes whose colon was lost.
    pub(super) fn key_without_colon(&mut self, start: usize, key: &str) -> Option<End> {
        let end = self.pos;
        self.pos = self.past_space(end);
        let valued = self.pos > end && self.value_ahead();
        self.pos = end;
        if !valued || key.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return None;
        }
        self.push(Repair::replace(RepairKind::UnquotedKey, start..end, format!("\"{key}\"")));
        Some(End::Whole)
    }
}
