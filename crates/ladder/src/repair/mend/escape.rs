//! Escapes: those of JSON pass, those of other languages are rewritten, and the rest must be clear.
//!
//! `\d` can only be meant as a backslash and a `d`. But then `\n` in the same string may be meant as a backslash
//! and an `n`, as in a path or a regular expression: a string that holds both is refused.

use super::Mender;
use crate::excerpt::items;
use crate::repair::edit::Repair;
use crate::repair::fault::Fault;
use crate::repair::kind::RepairKind;
use crate::repair::unreadable::UnreadableKind;
use std::borrow::Cow;

/// The escapes of one string so far.
#[derive(Default)]
pub(super) struct Escapes {
    /// One that JSON knows, but that may have been meant as it stands.
    known: bool,
    /// The first backslash that escapes nothing.
    lone: Option<usize>,
}

impl Escapes {
    pub(super) fn settle(&self) -> Result<(), Fault> {
        match self.lone {
            Some(at) if self.known => Err(Fault::new(UnreadableKind::BadEscape, at, at + 2)),
            Some(_) | None => Ok(()),
        }
    }
}

impl Mender<'_> {
    /// One escape; if the text ends in it, where it began.
    pub(super) fn escape(&mut self, escapes: &mut Escapes) -> Result<Option<usize>, Fault> {
        let start = self.pos;
        let Some(next) = self.byte(start + 1) else { return Ok(Some(start)) };
        match next {
            b'"' | b'/' => self.pos += 2,
            b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => {
                escapes.known = true;
                self.pos += 2;
            }
            b'u' if self.byte(start + 2) == Some(b'{') => {
                escapes.known = true;
                return self.braced_escape();
            }
            b'u' => {
                escapes.known = true;
                return self.unicode_escape();
            }
            b'x' => {
                escapes.known = true;
                return self.hex_escape(2);
            }
            b'U' if self.hex(start + 2, 8).is_some() => {
                escapes.known = true;
                return self.hex_escape(8);
            }
            b'0'..=b'9' | b'a' | b'e' | b'v' | b'N' => {
                return Err(Fault::new(UnreadableKind::BadEscape, start, start + 2));
            }
            b'\n' => self.unescape(2, ""),
            b'\r' if self.byte(start + 2) == Some(b'\n') => self.unescape(3, ""),
            b'\'' | b'`' | b'_' | b'!' | b'#' | b'%' | b'&' | b'@' | b'~' | b'<' | b'>' | b'=' | b':' | b';' | b','
            | b' ' => {
                self.push(Repair::remove(RepairKind::ForeignEscape, start..start + 1));
                self.pos += 2;
            }
            0xe2 if self.is_smart_quote(start + 1) => {
                self.push(Repair::remove(RepairKind::ForeignEscape, start..start + 1));
                self.pos += 4;
            }
            _ => {
                escapes.lone = escapes.lone.or(Some(start));
                self.push(Repair::insert(RepairKind::LoneBackslash, start, "\\"));
                self.pos += 1;
            }
        }
        Ok(None)
    }

    fn unescape(&mut self, width: usize, inserted: impl Into<Cow<'static, str>>) {
        self.push(Repair::replace(RepairKind::ForeignEscape, self.pos..self.pos + width, inserted));
        self.pos += width;
    }

    /// `\uXXXX`, alone or as a pair.
    fn unicode_escape(&mut self) -> Result<Option<usize>, Fault> {
        let start = self.pos;
        let Some(first) = self.hex(start + 2, 4) else { return self.broken_escape(start, start + 2, 4) };
        let width = match first {
            0xd800..=0xdbff => {
                let pair = [self.byte(start + 6), self.byte(start + 7)];
                match (pair, self.hex(start + 8, 4)) {
                    ([None, _], _) | ([Some(b'\\'), None], _) => return Ok(Some(start)),
                    ([Some(b'\\'), Some(b'u')], Some(0xdc00..=0xdfff)) => 12,
                    ([Some(b'\\'), Some(b'u')], None) => return self.broken_escape(start, start + 8, 4),
                    _ => return Err(Fault::new(UnreadableKind::LoneSurrogate, start, start + 6)),
                }
            }
            0xdc00..=0xdfff => return Err(Fault::new(UnreadableKind::LoneSurrogate, start, start + 6)),
            _ => 6,
        };
        self.pos += width;
        Ok(None)
    }

    /// `\xHH` of JavaScript and Python, `\UXXXXXXXX` of Python.
    fn hex_escape(&mut self, digits: usize) -> Result<Option<usize>, Fault> {
        let start = self.pos;
        match self.hex(start + 2, digits).map(char::from_u32) {
            Some(Some(c)) => self.unescape(2 + digits, json_char(c)),
            Some(None) => return Err(Fault::new(UnreadableKind::BadEscape, start, start + 2 + digits)),
            None => return self.broken_escape(start, start + 2, digits),
        }
        Ok(None)
    }

    /// `\u{…}` of JavaScript and Rust.
    fn braced_escape(&mut self) -> Result<Option<usize>, Fault> {
        let start = self.pos;
        for digits in 1..=6 {
            let end = start + 3 + digits;
            match (self.byte(end), self.hex(start + 3, digits).and_then(char::from_u32)) {
                (None, _) => return Ok(Some(start)),
                (Some(b'}'), Some(c)) => {
                    self.unescape(digits + 4, json_char(c));
                    return Ok(None);
                }
                (Some(_), _) => {}
            }
        }
        Err(Fault::new(UnreadableKind::BadEscape, start, start + 3))
    }

    /// Digits that are not all there: because the text ends, or because they are none.
    fn broken_escape(&self, start: usize, from: usize, digits: usize) -> Result<Option<usize>, Fault> {
        let there = items(self.bytes, from..);
        if there.len() < digits && there.iter().all(u8::is_ascii_hexdigit) {
            return Ok(Some(start));
        }
        Err(Fault::new(UnreadableKind::BadEscape, start, start + 2))
    }

    fn hex(&self, from: usize, digits: usize) -> Option<u32> {
        let text = self.text.get(from..from + digits).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(text, 16).ok()
    }
}

/// A character as it may stand inside a JSON string.
fn json_char(c: char) -> String {
    match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\0'..='\u{1f}' => format!("\\u{:04x}", u32::from(c)),
        other => other.to_string(),
    }
}
