//! Finds the cells of one record in a slice of bytes.
//!
//! What enters are bytes that begin with a record; what leaves are the spans of its cells and its length, or that
//! more bytes are needed. Nothing is copied.

use crate::delimited::Dialect;

/// Where a cell stands in its record, without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) form: Form,
}

/// What has to be done to a cell before it can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nothing: it is ASCII, without quotes or anything that JSON escapes.
    Plain,
    /// It may hold something that JSON escapes, or something that is not UTF-8.
    Unknown,
    /// Its quotes are doubled.
    Doubled,
}

/// What a byte means in a cell without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    /// Belongs to the cell, but JSON escapes it, or it is not ASCII.
    Look,
    /// Ends the cell, or may not stand in it.
    End,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A record: how many bytes it takes with the end of its line, and how many lines.
    Record { length: usize, lines: u64 },
    /// The record does not end within the bytes.
    More,
}

/// What is wrong, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) cell: usize,
    pub(crate) why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    BareQuote,
    AfterQuote,
    Unclosed,
    LoneReturn,
    Nul,
    Columns,
    CellBytes,
}

/// Looks for the ends of cells.
#[derive(Clone)]
pub(crate) struct Scanner {
    classes: [Class; 256],
    delimiter: u8,
    columns: usize,
    cell_bytes: usize,
}

impl Scanner {
    pub(crate) fn new(dialect: Dialect, columns: usize, cell_bytes: usize) -> Self {
        let delimiter = dialect.delimiter();
        let mut classes = [Class::Plain; 256];
        for (byte, class) in (0..=u8::MAX).zip(&mut classes) {
            if [delimiter, b'"', b'\n', b'\r', 0].contains(&byte) {
                *class = Class::End;
            } else if byte < 0x20 || byte == b'\\' || !byte.is_ascii() {
                *class = Class::Look;
            }
        }
        Self { classes, delimiter, columns, cell_bytes }
    }

    /// Finds the first record. `ended` says that nothing follows the bytes.
    pub(crate) fn scan(&self, bytes: &[u8], ended: bool, spans: &mut Vec<Span>) -> Result<Found, Fault> {
        spans.clear();
        let mut at = 0;
        let mut lines = 1;
        loop {
            let fault = |at, why| Fault { at, cell: spans.len(), why };
            if spans.len() == self.columns {
                return Err(fault(at, Why::Columns));
            }
            let quoted = bytes.get(at) == Some(&b'"');
            let span = if quoted {
                match self.quoted(bytes, at, ended).map_err(|(at, why)| fault(at, why))? {
                    Some(span) => span,
                    None => return Ok(Found::More),
                }
            } else {
                let rest = bytes.get(at..).unwrap_or_default();
                let (length, form) = self.plain(rest);
                Span { start: at, end: at + length, form }
            };
            if span.end - span.start > self.cell_bytes {
                return Err(fault(at, Why::CellBytes));
            }
            if quoted {
                lines += self.lines(bytes, span);
            }
            at = span.end + usize::from(quoted);
            let next = bytes.get(at);
            if next == Some(&self.delimiter) {
                at += 1;
                spans.push(span);
                continue;
            }
            let follows = bytes.get(at + 1);
            match next {
                Some(b'\n') => {
                    spans.push(span);
                    return Ok(Found::Record { length: at + 1, lines });
                }
                Some(b'\r') if follows == Some(&b'\n') => {
                    spans.push(span);
                    return Ok(Found::Record { length: at + 2, lines });
                }
                Some(b'\r') if follows.is_none() && !ended => return Ok(Found::More),
                Some(b'\r') => return Err(fault(at, Why::LoneReturn)),
                Some(0) => return Err(fault(at, Why::Nul)),
                Some(_) if quoted => return Err(fault(at, Why::AfterQuote)),
                Some(_) => return Err(fault(at, Why::BareQuote)),
                None if ended => {
                    spans.push(span);
                    return Ok(Found::Record { length: at, lines });
                }
                None => return Ok(Found::More),
            }
        }
    }

    /// The length of a cell without quotes.
    #[inline]
    fn plain(&self, rest: &[u8]) -> (usize, Form) {
        let class = |byte: &u8| self.classes.get(usize::from(*byte)).copied().unwrap_or(Class::End);
        let Some(at) = rest.iter().position(|byte| class(byte) != Class::Plain) else {
            return (rest.len(), Form::Plain);
        };
        let ahead = rest.get(at..).unwrap_or_default();
        match ahead.iter().position(|byte| class(byte) == Class::End) {
            Some(0) => (at, Form::Plain),
            Some(more) => (at + more, Form::Unknown),
            None => (rest.len(), Form::Unknown),
        }
    }

    /// A cell in quotes that begins at a byte.
    fn quoted(&self, bytes: &[u8], at: usize, ended: bool) -> Result<Option<Span>, (usize, Why)> {
        let start = at + 1;
        let mut from = start;
        let mut form = Form::Unknown;
        loop {
            let Some(more) = memchr::memchr2(b'"', 0, bytes.get(from..).unwrap_or_default()) else {
                return match ended {
                    true => Err((at, Why::Unclosed)),
                    false if bytes.len() - start > self.cell_bytes => Err((at, Why::CellBytes)),
                    false => Ok(None),
                };
            };
            let end = from + more;
            if bytes.get(end) == Some(&0) {
                return Err((end, Why::Nul));
            }
            match bytes.get(end + 1) {
                Some(b'"') => {
                    form = Form::Doubled;
                    from = end + 2;
                }
                // The next byte decides whether the quote is doubled.
                None if !ended => return Ok(None),
                _ => return Ok(Some(Span { start, end, form })),
            }
        }
    }

    fn lines(&self, bytes: &[u8], span: Span) -> u64 {
        memchr::memchr_iter(b'\n', bytes.get(span.start..span.end).unwrap_or_default()).count() as u64
    }
}
