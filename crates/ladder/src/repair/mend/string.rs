//! Strings in double quotes, with unescaped quotes inside them.
//!
//! The first quote ends the string if what must follow a string follows it. Otherwise it may be part of the
//! text, as in `"he said "no" twice"`; that is believed only where such quotes come in pairs, each pair opening
//! after a space and closing after a letter. Anything else could be a lost quote, and is refused.

use super::ahead::{Follow, Place};
use super::escape::Escapes;
use super::{End, Mender, Opening};
use crate::excerpt::items;
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

/// What was met inside a string so far.
#[derive(Default)]
pub(super) struct Content {
    /// Where the text of the string begins.
    pub(super) start: usize,
    pub(super) escapes: Escapes,
    inner: usize,
    first_inner: usize,
    last_inner: usize,
}

impl Content {
    pub(super) fn new(start: usize) -> Self {
        Self { start, ..Self::default() }
    }
}

/// Whether a quote behind this character may open quoted words inside a string.
pub(super) fn opens_inner(before: Option<char>) -> bool {
    before.is_none_or(|c| c.is_whitespace() || "([{<=>-–—/:".contains(c))
}

impl Mender<'_> {
    pub(super) fn string(&mut self, place: Place) -> Result<End, Fault> {
        if self.peek() == Some(b'"') && !self.starts(self.pos, "\"\"\"") {
            self.double(place)
        } else if let Some(pair) = self.pair(self.pos) {
            self.paired(place, pair)
        } else {
            self.foreign(place)
        }
    }

    fn double(&mut self, place: Place) -> Result<End, Fault> {
        self.pos += 1;
        let mut content = Content::new(self.pos);
        loop {
            self.skip_plain();
            match self.peek() {
                None => return self.cut_string(&content, place),
                Some(b'"') if place == Place::Key => {
                    self.pos += 1;
                    content.escapes.settle()?;
                    return Ok(End::Whole);
                }
                Some(b'"') => match self.follow(self.pos + 1, place) {
                    Follow::Structure => {
                        self.settle(&content)?;
                        self.pos += 1;
                        return Ok(End::Whole);
                    }
                    Follow::Joined(next) => {
                        self.push(Repair::remove(RepairKind::JoinedStrings, self.pos..next));
                        self.pos = next;
                    }
                    Follow::Text => self.inner_quote(&mut content)?,
                    // `"he said "no""`: the first of two quotes closes what was quoted inside.
                    Follow::Quote if !content.inner.is_multiple_of(2) && self.ends_behind(self.pos + 1, place) => {
                        self.inner_quote(&mut content)?;
                    }
                    Follow::Colon if content.inner == 0 => {
                        self.pos = self.past_space(self.pos + 1);
                        return Err(self.fault(UnreadableKind::Unexpected));
                    }
                    Follow::Colon | Follow::Quote => return Err(self.fault(UnreadableKind::UncertainQuotes)),
                },
                Some(b'\\') => {
                    if let Some(partial) = self.escape(&mut content.escapes)? {
                        return self.close_cut_string(&content, place, partial);
                    }
                }
                Some(_) => self.control(),
            }
        }
    }

    /// Moves to the next quote, backslash or control character.
    pub(super) fn skip_plain(&mut self) {
        let rest = items(self.bytes, self.pos..);
        self.pos += rest.iter().position(|b| matches!(b, b'"' | b'\\' | 0x00..=0x1f)).unwrap_or(rest.len());
    }

    /// Whether a quote stands here that ends a string.
    fn ends_behind(&self, at: usize, place: Place) -> bool {
        self.byte(at) == Some(b'"') && self.follow(at + 1, place) == Follow::Structure
    }

    fn inner_quote(&mut self, content: &mut Content) -> Result<(), Fault> {
        let before = self.slice(content.start..self.pos).chars().next_back();
        let spaced = self.byte(self.pos + 1).is_some_and(|b| b.is_ascii_whitespace());
        let opens = opens_inner(before) && !spaced;
        let closes = before.is_some_and(|c| !c.is_whitespace());
        let fits = if content.inner.is_multiple_of(2) { opens } else { closes };
        if !fits {
            return Err(self.fault(UnreadableKind::UncertainQuotes));
        }
        if content.inner == 0 {
            content.first_inner = self.pos;
        }
        content.inner += 1;
        content.last_inner = self.pos;
        self.push(Repair::insert(RepairKind::InnerQuotes, self.pos, "\\"));
        self.pos += 1;
        Ok(())
    }

    /// At the closing quote: was everything inside clear?
    fn settle(&self, content: &Content) -> Result<(), Fault> {
        content.escapes.settle()?;
        // `""text""` is a text in doubled quotes, or a text in quotes: the two cannot be told apart.
        let doubled = content.first_inner == content.start && content.last_inner + 1 == self.pos;
        if content.inner > 0 && (!content.inner.is_multiple_of(2) || doubled) {
            return Err(Fault::new(UnreadableKind::UncertainQuotes, content.first_inner, self.pos));
        }
        Ok(())
    }

    /// A run of control characters, written as escapes.
    pub(super) fn control(&mut self) {
        let start = self.pos;
        let mut inserted = String::new();
        while let Some(byte @ 0x00..=0x1f) = self.peek() {
            match byte {
                b'\n' => inserted.push_str("\\n"),
                b'\r' => inserted.push_str("\\r"),
                b'\t' => inserted.push_str("\\t"),
                other => inserted.push_str(&format!("\\u{other:04x}")),
            }
            self.pos += 1;
        }
        self.push(Repair::replace(RepairKind::ControlCharacter, start..self.pos, inserted));
    }

    /// The text ends inside a string.
    pub(super) fn cut_string(&mut self, content: &Content, place: Place) -> Result<End, Fault> {
        // A line break at the very end comes from whoever stored the text.
        let end = self.text.trim_end_matches(['\n', '\r']).len().max(content.start);
        self.close_cut_string(content, place, end)
    }

    /// The text ends inside a string, of which everything up to `end` is sure.
    pub(super) fn close_cut_string(&mut self, content: &Content, place: Place, end: usize) -> Result<End, Fault> {
        self.meant = true;
        self.pos = self.bytes.len();
        if self.seems_complete(content.start, end) {
            return Err(Fault::new(UnreadableKind::UnclosedString, content.start, end));
        }
        if place == Place::Key {
            return Ok(End::Dropped);
        }
        content.escapes.settle()?;
        if content.inner > 0 {
            return Err(Fault::new(UnreadableKind::UncertainQuotes, content.first_inner, end));
        }
        // Over a line break, or in a fragment, a lost quote is as likely as a cut.
        let lost = self.opening == Opening::FirstKey || self.slice(content.start..end).contains('\n');
        if lost {
            return Err(Fault::new(UnreadableKind::UnclosedString, content.start, end));
        }
        if end == content.start {
            return Ok(End::Dropped);
        }
        while self.script.last().is_some_and(|edit| edit.at().end > end) {
            self.script.pop();
        }
        self.push(Repair::replace(RepairKind::CutStringClosed, end..self.bytes.len(), "\""));
        Ok(End::Cut)
    }

    /// True where the last string holds what ends a value, or other members: then a quote was lost, and nothing cut.
    fn seems_complete(&self, start: usize, end: usize) -> bool {
        let text = self.slice(start..end);
        let members =
            |mark: &str| text.contains(mark) && self.script.iter().any(|e| e.kind == RepairKind::SingleQuotes);
        text.trim_end().ends_with(['}', ']', '>'])
            || text.trim_end().ends_with("```")
            || ["\":", "':"].iter().any(|mark| members(mark))
    }
}
