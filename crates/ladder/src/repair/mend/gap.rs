//! What stands between tokens: spaces, spaces of other alphabets, comments.

use super::{Latitude, Mender};
use crate::excerpt::{excerpt, items};
use crate::prose::{Remark, remark};
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;

/// Why there is no further token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text ends: it may have been cut off anywhere.
    TextEnd,
    /// A fence or tag closes here: the writer believed the value to be complete.
    Closed,
}

impl Mender<'_> {
    /// Moves to the next token.
    pub(super) fn gap(&mut self) -> Result<(), Fault> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.pos += 1,
                Some(b'\\') if self.is_escaped_space(self.pos) => {
                    self.push(Repair::remove(RepairKind::ForeignSpace, self.pos..self.pos + 2));
                    self.pos += 2;
                }
                Some(b'/') if matches!(self.byte(self.pos + 1), Some(b'/' | b'*')) => self.comment()?,
                Some(b'#') if self.colour_ahead() => return Ok(()),
                Some(b'#') => self.comment()?,
                Some(0x0b | 0x0c | 0x80..) => {
                    let start = self.pos;
                    while let Some(width) = foreign_space(self.text, self.pos) {
                        self.pos += width;
                    }
                    if self.pos == start {
                        return Ok(());
                    }
                    self.push(Repair::replace(RepairKind::ForeignSpace, start..self.pos, " "));
                }
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// `#FF8800` before a comma or a closing bracket: a colour and no comment, if the schema takes it.
    fn colour_ahead(&self) -> bool {
        let rest = excerpt(self.text, self.pos + 1..);
        let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
        let after = excerpt(rest, end..).trim_start_matches([' ', '\t']);
        let before = excerpt(self.text, ..self.pos).trim_end_matches([' ', '\t']);
        self.latitude == Latitude::Guided
            && matches!(end, 3 | 6 | 8)
            && after.starts_with([',', '}', ']'])
            && before.ends_with([':', '='])
    }

    pub(super) fn stop(&self) -> Option<Stop> {
        match self.peek() {
            None => Some(Stop::TextEnd),
            Some(_) if self.is_closing_mark(self.pos) => Some(Stop::Closed),
            Some(_) => None,
        }
    }

    /// A fence or a closing tag.
    pub(super) fn is_closing_mark(&self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'`') => self.starts(at, "```"),
            Some(b'~') => self.starts(at, "~~~"),
            Some(b'<') => self.starts(at, "</"),
            Some(_) | None => false,
        }
    }

    fn comment(&mut self) -> Result<(), Fault> {
        let start = self.pos;
        let rest = items(self.bytes, start..);
        let block = rest.starts_with(b"/*");
        let len = if block {
            rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |at| at + 4)
        } else {
            rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
        };
        let comment = excerpt(self.text, start..start + len);
        self.pos = start + len;
        match remark(comment) {
            Remark::Harmless => {}
            Remark::Omits => return Err(Fault::new(UnreadableKind::Placeholder, start, start + len)),
            Remark::Questions => return Err(Fault::new(UnreadableKind::Questioned, start, start + len)),
        }
        // Without a line break it is not known where the comment ends and the value continues.
        if start + len == self.bytes.len() && comment.contains(['}', ']', '`']) {
            return Err(Fault::new(UnreadableKind::UncertainComment, start, start + len));
        }
        self.push(Repair::remove(RepairKind::Comment, start..self.pos));
        Ok(())
    }
}

/// The width of a space that JSON does not know.
pub(in crate::repair) fn foreign_space(text: &str, at: usize) -> Option<usize> {
    let c = text.get(at..)?.chars().next()?;
    let blank = c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    (blank && !matches!(c, ' ' | '\t' | '\n' | '\r')).then(|| c.len_utf8())
}
