//! Members and items: separators, closing brackets, and what is left of them where the text was cut off.

use super::ahead::Place;
use super::gap::Stop;
use super::merge::Seen;
use super::{Duplicates, End, Latitude, Mark, Mender};
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

/// What a list holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Members between braces.
    Object,
    /// Items between brackets.
    Array,
    /// Members whose braces are missing.
    Bare,
}

impl Sort {
    const fn closer(self) -> &'static str {
        match self {
            Self::Object | Self::Bare => "}",
            Self::Array => "]",
        }
    }

    fn closed_by(self, byte: u8) -> bool {
        self.closer().as_bytes() == [byte]
    }
}

/// A separator that waits for what follows it.
#[derive(Debug, Clone, Copy)]
struct Comma {
    at: usize,
    /// How many edits stood before it.
    edits: usize,
    semicolon: bool,
}

/// A list while it is read.
struct List {
    sort: Sort,
    /// The end of the last part that was kept, or of the opening bracket.
    after: Mark,
    comma: Option<Comma>,
    kept: usize,
    seen: Seen,
}

impl Mender<'_> {
    pub(super) fn list(&mut self, sort: Sort) -> Result<End, Fault> {
        let opened = self.pos;
        let mut list = List { sort, after: self.mark(), comma: None, kept: 0, seen: Seen::default() };
        loop {
            self.gap()?;
            match (self.stop(), self.peek()) {
                (Some(Stop::TextEnd), _) | (None, None) => return self.close_cut(&list, opened),
                (Some(Stop::Closed), _) => return self.close_missing(&list),
                (None, Some(closer @ (b'}' | b']'))) => return self.close(&list, closer),
                (None, Some(separator @ (b',' | b';'))) => self.separator(&mut list, separator)?,
                (None, Some(_)) => {
                    if let Some(end) = self.close_before_part(&list) {
                        return Ok(end);
                    }
                    self.missing_comma(&list)?;
                    self.part(&mut list)?;
                }
            }
        }
    }

    /// One member or item.
    fn part(&mut self, list: &mut List) -> Result<(), Fault> {
        match self.closed_in_same.take() {
            Some(Sort::Array) => self.loose.brackets = true,
            Some(Sort::Object | Sort::Bare) => self.loose.braces = true,
            None => {}
        }
        let end = match list.sort {
            Sort::Object | Sort::Bare => self.member()?,
            Sort::Array => self.value(Place::Item)?,
        };
        if end == End::Dropped {
            self.script.truncate(list.after.edits);
            self.push(Repair::remove(RepairKind::CutMemberDropped, list.after.pos..self.bytes.len()));
            self.pos = self.bytes.len();
        } else if list.sort != Sort::Array && self.duplicates == Duplicates::Merged && self.repeats(&mut list.seen)? {
            self.script.truncate(list.after.edits);
            self.push(Repair::remove(RepairKind::DuplicateMember, list.after.pos..self.pos));
            list.after = self.mark();
        } else {
            list.kept += 1;
            list.after = self.mark();
        }
        list.comma = None;
        Ok(())
    }

    fn separator(&mut self, list: &mut List, byte: u8) -> Result<(), Fault> {
        let at = self.pos;
        if list.kept == 0 || list.comma.is_some() {
            // In an object nothing can be missing between two commas; in an array it is a hole.
            if list.sort == Sort::Array && !self.between_brackets() {
                return Err(self.fault(UnreadableKind::MissingValue));
            }
            self.push(Repair::remove(RepairKind::ExtraComma, at..at + 1));
        } else {
            self.meant |= list.sort == Sort::Array;
            list.comma = Some(Comma { at, edits: self.script.len(), semicolon: byte == b';' });
            if byte == b';' {
                self.push(Repair::replace(RepairKind::Separator, at..at + 1, ","));
            }
        }
        self.pos += 1;
        Ok(())
    }

    /// Whether a second comma stands between two objects or two lists. In a guided reading it is one too many: an item
    /// that is missing there would be null, which the schema judges.
    fn between_brackets(&self) -> bool {
        let before = self.slice(0..self.pos).trim_end_matches([' ', '\t', '\n', '\r', ',']).chars().next_back();
        let next = self.byte(self.past_space(self.pos + 1));
        self.latitude == Latitude::Guided && matches!((before, next), (Some('}'), Some(b'{')) | (Some(']'), Some(b'[')))
    }

    /// Adds the comma that is missing before the next part, where the two are clearly two.
    fn missing_comma(&mut self, list: &List) -> Result<(), Fault> {
        if list.kept == 0 || list.comma.is_some() {
            return Ok(());
        }
        if self.starts(self.pos, "..") || self.starts(self.pos, "…") {
            return Err(self.fault(UnreadableKind::Placeholder));
        }
        let gap = self.slice(list.after.pos..self.pos);
        let (new_line, apart) = (gap.contains('\n'), !gap.is_empty());
        let clear = match list.sort {
            Sort::Object | Sort::Bare if self.is_quote(self.pos) => self.quoted_key_ahead(self.pos),
            Sort::Object | Sort::Bare => new_line && self.bare_key_ahead(self.pos),
            Sort::Array => {
                let before = list.after.pos.checked_sub(1).and_then(|at| self.byte(at));
                let brackets = matches!((before, self.peek()), (Some(b'}'), Some(b'{')) | (Some(b']'), Some(b'[')));
                let quotes = matches!(before, Some(b'"' | b'\'' | b'`')) && self.is_quote(self.pos);
                new_line || brackets || (quotes && apart)
            }
        };
        if !clear {
            return Err(self.fault(UnreadableKind::MissingComma));
        }
        let comma = Repair::insert(RepairKind::MissingComma, list.after.pos, ",");
        self.script.insert(list.after.edits.min(self.script.len()), comma);
        Ok(())
    }

    fn close(&mut self, list: &List, closer: u8) -> Result<End, Fault> {
        if list.sort.closed_by(closer) {
            self.meant |= list.kept > 0;
            self.drop_trailing(list);
            self.pos += 1;
            let outer = self.open.iter().rev().nth(1);
            self.closed_in_same = outer.filter(|outer| outer.closed_by(closer)).copied();
            return Ok(End::Whole);
        }
        // The bracket of an outer list ends this one too, if there is such a list. In a guided reading it is of the
        // wrong sort where the outer list goes on, or where as many brackets follow as are open.
        let outer = self.open.iter().rev().skip(1).any(|sort| sort.closed_by(closer));
        let outer = outer && !(self.latitude == Latitude::Guided && self.outer_goes_on());
        if self.latitude == Latitude::Guided && list.sort != Sort::Bare && list.kept > 0 && !outer {
            self.drop_trailing(list);
            self.push(Repair::replace(RepairKind::WrongCloser, self.pos..self.pos + 1, list.sort.closer()));
            self.pos += 1;
            return Ok(End::Whole);
        }
        if list.sort == Sort::Bare || list.kept == 0 || !outer {
            return Err(self.fault(UnreadableKind::MismatchedBracket));
        }
        self.add_closer(list, RepairKind::MissingCloser);
        Ok(End::Whole)
    }

    /// Whether more members follow the closing bracket here, or as many closing brackets stand here as are open.
    fn outer_goes_on(&self) -> bool {
        let next = self.past_space(self.pos + 1);
        let parent = self.open.iter().rev().nth(1);
        let in_object = matches!(parent, Some(Sort::Object | Sort::Bare));
        if in_object && self.byte(next) == Some(b',') {
            let key = self.past_space(next + 1);
            return self.is_quote(key) && self.quoted_key_ahead(key) || self.bare_key_ahead(key);
        }
        let mut at = self.pos;
        let mut closers = 0;
        while matches!(self.byte(at), Some(b'}' | b']')) {
            closers += 1;
            at = self.past_space(at + 1);
        }
        closers > 1 && closers == self.open.len()
    }

    /// Closes a list before a part that belongs to the list around it: a key among items, or an object among members.
    fn close_before_part(&mut self, list: &List) -> Option<End> {
        let parent = self.open.iter().rev().nth(1)?;
        let belongs_outside = match (list.sort, parent) {
            (Sort::Array, Sort::Object) => {
                let quoted = self.is_quote(self.pos) && self.quoted_key_ahead(self.pos);
                let end = self.bare_key_end(self.pos);
                quoted || (end > self.pos && self.byte(end) == Some(b':') && !self.is_quote(self.pos))
            }
            (Sort::Object, Sort::Array) => self.peek() == Some(b'{') && list.comma.is_some(),
            _ => false,
        };
        // The text may end in what looks like a key.
        if self.latitude != Latitude::Guided || list.kept == 0 || !belongs_outside {
            return None;
        }
        let after = list.comma.map_or(self.pos, |comma| comma.at);
        self.script.truncate(list.comma.map_or(self.script.len(), |comma| comma.edits));
        let closer = Repair::insert(RepairKind::MissingCloser, list.after.pos, list.sort.closer());
        self.script.insert(list.after.edits.min(self.script.len()), closer);
        self.pos = after;
        Some(End::Whole)
    }

    /// A fence or tag closed the value before its brackets were.
    fn close_missing(&mut self, list: &List) -> Result<End, Fault> {
        if list.kept == 0 {
            return Err(self.fault(UnreadableKind::CutTooEarly));
        }
        let kind = if list.sort == Sort::Bare { RepairKind::BracesAdded } else { RepairKind::MissingCloser };
        self.add_closer(list, kind);
        Ok(End::Whole)
    }

    /// The text ends. A list of which nothing is left would claim to be empty, so it goes with its member.
    fn close_cut(&mut self, list: &List, opened: usize) -> Result<End, Fault> {
        if self.opening == super::Opening::FirstKey && list.sort != Sort::Bare {
            // Nothing at the beginning and nothing at the end: this is a fragment and not a cut-off value.
            return Err(Fault::new(UnreadableKind::MismatchedBracket, opened.saturating_sub(1), opened));
        }
        if list.kept == 0 {
            return Ok(End::Dropped);
        }
        self.drop_trailing(list);
        let kind = if list.sort == Sort::Bare { RepairKind::BracesAdded } else { RepairKind::CutClosed };
        self.push(Repair::insert(kind, self.bytes.len(), list.sort.closer()));
        Ok(End::Cut)
    }

    fn drop_trailing(&mut self, list: &List) {
        let Some(comma) = list.comma else { return };
        if comma.semicolon {
            if let Some(edit) = self.script.get_mut(comma.edits) {
                *edit = Repair::remove(edit.kind, edit.at());
            }
            return;
        }
        let edit = Repair::remove(RepairKind::TrailingComma, comma.at..comma.at + 1);
        self.script.insert(comma.edits.min(self.script.len()), edit);
    }

    /// Closes the list right after its last part.
    fn add_closer(&mut self, list: &List, kind: RepairKind) {
        self.drop_trailing(list);
        let edit = Repair::insert(kind, list.after.pos, list.sort.closer());
        self.script.insert(list.after.edits.min(self.script.len()), edit);
    }
}
