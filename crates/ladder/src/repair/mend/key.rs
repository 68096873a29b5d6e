//! A member: its key, the mark after it, its value.

use super::ahead::{Place, is_bare_key};
use super::gap::Stop;
use super::{End, Latitude, Mark, Mender};
use crate::excerpt::excerpt;
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

impl Mender<'_> {
    pub(super) fn member(&mut self) -> Result<End, Fault> {
        let key_start = self.mark();
        if self.key()? == End::Dropped {
            return Ok(End::Dropped);
        }
        let key_end = self.mark();
        self.gap()?;
        if self.stop() == Some(Stop::TextEnd) {
            self.meant |= matches!(self.byte(key_start.pos), Some(b'"'));
            return Ok(End::Dropped);
        }
        self.colon((key_start, key_end))?;
        self.meant = true;
        self.gap()?;
        if self.stop() == Some(Stop::Closed) {
            return Err(self.fault(UnreadableKind::MissingValue));
        }
        let value_start = self.mark();
        let end = self.value(Place::Member)?;
        self.last = super::MemberParts { key: (key_start, key_end), value: (value_start, self.mark()) };
        Ok(end)
    }

    fn key(&mut self) -> Result<End, Fault> {
        if self.is_quote(self.pos) {
            return self.quoted_key();
        }
        if self.starts(self.pos, "..") || self.starts(self.pos, "…") {
            return Err(self.fault(UnreadableKind::Placeholder));
        }
        if self.peek() == Some(b'<') {
            return Err(self.fault(UnreadableKind::Placeholder));
        }
        if self.peek() == Some(b'\\') {
            return Err(self.escaped_quote());
        }
        let start = self.pos;
        self.pos = self.bare_key_end(start);
        if self.slice(start..self.pos) == "u" && self.is_quote(self.pos) {
            self.push(Repair::remove(RepairKind::StringPrefix, start..self.pos));
            return self.string(Place::Key);
        }
        let key = self.slice(start..self.pos).to_owned();
        if key.is_empty() {
            return Err(self.fault(UnreadableKind::Unexpected));
        }
        if self.peek().is_none() {
            return Ok(End::Dropped);
        }
        if !self.bare_key_ahead(start)
            && self.latitude == Latitude::Guided
            && let Some(end) = self.key_without_opening_quote(start).or_else(|| self.key_without_colon(start, &key))
        {
            return Ok(end);
        }
        if !self.bare_key_ahead(start) {
            let number = key.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            let kind = if number { UnreadableKind::DigitGrouping } else { UnreadableKind::MissingColon };
            return Err(self.fault_from(start, kind));
        }
        // `.name = value`: a member as C designates it.
        let designated = key.strip_prefix('.').filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let name = designated.filter(|_| self.latitude == Latitude::Guided).unwrap_or(&key);
        let quoted = format!("\"{name}\"");
        self.push(Repair::replace(RepairKind::UnquotedKey, start..self.pos, quoted));
        Ok(End::Whole)
    }

    fn quoted_key(&mut self) -> Result<End, Fault> {
        let start = self.mark();
        if self.latitude == Latitude::Guided
            && let Some(end) = self.key_in_two_quotes(start)
        {
            return Ok(end);
        }
        let read = self.string(Place::Key);
        let lost = self.latitude == Latitude::Guided && !matches!(read, Ok(End::Whole));
        if lost
            && self.byte(start.pos) == Some(b'"')
            && let Some(end) = self.key_without_closing_quote(start)
        {
            return Ok(end);
        }
        read
    }

    /// `'name":`: a key that was opened with one quote and closed with another.
    fn key_in_two_quotes(&mut self, start: Mark) -> Option<End> {
        let open = self.byte(start.pos).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let other = if open == b'"' { b'\'' } else { b'"' };
        let end = self.bare_key_end(start.pos + 1);
        let closed = end > start.pos + 1 && self.byte(end) == Some(other);
        if !closed || self.byte(self.past_space(end + 1)) != Some(b':') {
            return None;
        }
        let quoted = format!("\"{}\"", self.slice(start.pos + 1..end));
        self.push(Repair::replace(RepairKind::SingleQuotes, start.pos..end + 1, quoted));
        self.pos = end + 1;
        Some(End::Whole)
    }

    /// The mark between key and value.
    fn colon(&mut self, key: (Mark, Mark)) -> Result<(), Fault> {
        let width = ["=>", ":=", "=", "："].iter().find(|mark| self.starts(self.pos, mark)).map(|mark| mark.len());
        match (width, self.peek()) {
            (Some(width), _) => {
                self.push(Repair::replace(RepairKind::KeySeparator, self.pos..self.pos + width, ":"));
                self.pos += width;
                Ok(())
            }
            (None, Some(b':')) => {
                self.pos += 1;
                Ok(())
            }
            (None, _) if self.latitude == Latitude::Guided => self.lost_colon(key),
            (None, _) => Err(self.fault(UnreadableKind::MissingColon)),
        }
    }

    /// Where a key without quotes ends.
    pub(super) fn bare_key_end(&self, start: usize) -> usize {
        let rest = excerpt(self.text, start..);
        start + rest.find(|c| !is_bare_key(c)).unwrap_or(rest.len())
    }
}
