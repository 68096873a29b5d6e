//! One row: its text, and the spans of its cells.
//!
//! Turns the text of one object into spans. No cell is copied, numbers keep their digits, and everything is checked:
//! escapes, control characters, nested values.

use crate::error::{AdapterError, ErrorKind, Place};
use crate::number::{self, Form};
use deed_canon::{Invariant, is_plain_json};
use std::borrow::Cow;

/// The kind of a cell's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellKind {
    Null,
    Bool(bool),
    Number(Form),
    /// Text that stands as it is.
    Text,
    /// Text with escapes.
    Escaped,
    /// An array or an object.
    Nested,
}

/// A cell: the number of its column, and the span of its value; of texts without the quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) column: usize,
    pub(crate) kind: CellKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A row as it stands in the window.
#[derive(Clone, Copy)]
pub(crate) struct Row<'r> {
    pub(crate) text: &'r str,
    pub(crate) cells: &'r [Cell],
    /// Counted from one.
    pub(crate) number: u64,
}

impl<'r> Row<'r> {
    /// The value as it is written; of texts, what stands between the quotes.
    #[inline]
    pub(crate) fn raw(&self, cell: &Cell) -> &'r str {
        self.text.get(cell.start..cell.end).invariant(IN_ROW)
    }

    /// The value as JSON.
    pub(crate) fn json(&self, cell: &Cell) -> &'r str {
        match cell.kind {
            CellKind::Text | CellKind::Escaped => {
                self.text.get(cell.start.saturating_sub(1)..cell.end + 1).invariant(IN_ROW)
            }
            CellKind::Null | CellKind::Bool(_) | CellKind::Number(_) | CellKind::Nested => self.raw(cell),
        }
    }

    /// The text of a cell without escapes.
    #[inline]
    pub(crate) fn decoded(&self, cell: &Cell) -> Cow<'r, str> {
        if cell.kind == CellKind::Escaped {
            unescaped(self.json(cell)).invariant("the escapes of a cell were checked")
        } else {
            self.raw(cell).into()
        }
    }

    pub(crate) fn place(&self, name: &str) -> Place {
        Place::row(self.number).in_column(name)
    }

    /// Sorts the cells into one slot for each column.
    pub(crate) fn sort_cells(&self, width: usize, slots: &mut Vec<Option<Cell>>) -> Result<(), AdapterError> {
        slots.clear();
        slots.resize(width, None);
        for cell in self.cells {
            // The columns were counted in a first read, so the input has changed since.
            let changed = || AdapterError::new(ErrorKind::Read, "the input changed between two reads");
            *slots.get_mut(cell.column).ok_or_else(|| changed().at(Place::row(self.number)))? = Some(*cell);
        }
        Ok(())
    }

    /// Refuses a number that not every reader reads alike.
    pub(crate) fn check_number(&self, cell: &Cell, name: &str) -> Result<(), AdapterError> {
        match cell.kind {
            CellKind::Number(form) if !number::is_safe(self.raw(cell), form) => {
                Err(number::refusal(self.raw(cell), self.place(name)))
            }
            _ => Ok(()),
        }
    }
}

const IN_ROW: &str = "a cell lies within its row";

/// The text of a JSON string with its quotes; `None` if it is malformed.
fn unescaped(json: &str) -> Option<Cow<'static, str>> {
    serde_json::from_str::<String>(json).ok().map(Cow::Owned)
}

/// Walks over the text of one row.
pub(crate) struct Cursor<'r> {
    pub(crate) text: &'r str,
    pub(crate) at: usize,
}

impl<'r> Cursor<'r> {
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(crate) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    pub(crate) fn fault(&self, expected: &str) -> AdapterError {
        AdapterError::new(ErrorKind::Syntax, format!("expected {expected}")).at(Place::offset(self.at as u64))
    }

    pub(crate) fn eat(&mut self, byte: u8, expected: &str) -> Result<(), AdapterError> {
        if self.peek() != Some(byte) {
            return Err(self.fault(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// A string: whether it has escapes, and the span between its quotes.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<(CellKind, usize, usize), AdapterError> {
        self.eat(b'"', "a string")?;
        let start = self.at;
        let bytes = self.text.as_bytes().get(start..).invariant(IN_ROW);
        let mut from = 0;
        let mut kind = CellKind::Text;
        let length = loop {
            // A backslash at the end leaves nothing behind it.
            match memchr::memchr2(b'"', b'\\', bytes.get(from..).unwrap_or_default()) {
                None => return Err(self.fault("the end of a string")),
                Some(more) if bytes.get(from + more) == Some(&b'"') => break from + more,
                Some(more) => {
                    kind = CellKind::Escaped;
                    from += more + 2;
                }
            }
        };
        let end = start + length;
        self.at = end + 1;
        let fine = match kind {
            CellKind::Escaped => self.text.get(start.saturating_sub(1)..=end).and_then(unescaped).is_some(),
            _ => bytes.get(..length).is_some_and(is_plain_json),
        };
        if !fine {
            self.at = start;
            return Err(self.fault("a string with valid escapes and without control characters"));
        }
        Ok((kind, start, end))
    }

    /// A value: its kind and its span.
    #[inline]
    pub(crate) fn value(&mut self, depth: usize) -> Result<(CellKind, usize, usize), AdapterError> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => return self.string(),
            Some(b'{' | b'[') => {
                self.nested(depth)?;
                CellKind::Nested
            }
            Some(b'-' | b'0'..=b'9') => {
                let rest = self.text.as_bytes().get(start..).invariant(IN_ROW);
                let belongs = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E');
                let length = rest.iter().position(|b| !belongs(b)).unwrap_or(rest.len());
                let Some(form) = rest.get(..length).and_then(number::form) else {
                    return Err(self.fault("a number"));
                };
                self.at += length;
                CellKind::Number(form)
            }
            _ => self.word()?,
        };
        Ok((kind, start, self.at))
    }

    fn word(&mut self) -> Result<CellKind, AdapterError> {
        let rest = self.text.get(self.at..).invariant(IN_ROW);
        for (word, kind) in [("null", CellKind::Null), ("true", CellKind::Bool(true)), ("false", CellKind::Bool(false))]
        {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.fault("a value"))
    }

    /// A nested value, held to the rules of canonical JSON: no key twice, no number that readers differ on.
    fn nested(&mut self, depth: usize) -> Result<(), AdapterError> {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).invariant(IN_ROW);
        let mut frame = Frame::default();
        let Some(length) = frame.scan(rest, depth)? else { return Err(self.fault("the end of a nested value")) };
        let inside = rest.get(..length).invariant(IN_ROW);
        if let Err(error) = deed_canon::parse(inside) {
            let kind = match error.kind {
                deed_canon::ParseErrorKind::UnsafeInteger => ErrorKind::Number,
                deed_canon::ParseErrorKind::DuplicateKey { .. } => ErrorKind::DuplicateKey,
                _ => ErrorKind::Syntax,
            };
            let place = Place::offset((start + error.span.start) as u64);
            return Err(AdapterError::new(kind, "a nested value is not strict JSON").at(place));
        }
        self.at = start + length;
        Ok(())
    }
}

/// Finds where an array or object ends, without looking at what it holds.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    scanned: usize,
    open: usize,
}

impl Frame {
    /// The length of the value that begins the bytes; `None` if more are needed. Called again with more bytes, it
    /// resumes where it stopped.
    pub(crate) fn scan(&mut self, bytes: &[u8], depth: usize) -> Result<Option<usize>, AdapterError> {
        while let Some(rest) = bytes.get(self.scanned..) {
            let Some(at) = rest.iter().position(|b| matches!(b, b'"' | b'{' | b'}' | b'[' | b']')) else {
                self.scanned = bytes.len();
                return Ok(None);
            };
            let here = self.scanned + at;
            match bytes.get(here) {
                Some(b'"') => match string_end(bytes, here + 1) {
                    // The string is looked at again from its beginning once more is there.
                    None => {
                        self.scanned = here;
                        return Ok(None);
                    }
                    Some(end) => self.scanned = end + 1,
                },
                Some(b'{' | b'[') => {
                    self.open += 1;
                    self.scanned = here + 1;
                    if self.open > depth {
                        return Err(AdapterError::limit(format_args!("{depth} levels of nesting")));
                    }
                }
                _ => {
                    self.open = self.open.saturating_sub(1);
                    self.scanned = here + 1;
                    if self.open == 0 {
                        return Ok(Some(self.scanned));
                    }
                }
            }
        }
        Ok(None)
    }
}

fn string_end(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + memchr::memchr2(b'"', b'\\', bytes.get(from..)?)?;
        match bytes.get(at) {
            Some(b'"') => return Some(at),
            _ => from = at + 2,
        }
    }
}
