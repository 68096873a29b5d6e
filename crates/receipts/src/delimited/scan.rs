//! Finds the cells of one record in a slice of bytes, and which sorts of bytes each holds.
//!
//! The rules are those of the adapters, which read these files later: RFC 4180, strictly. Nothing is copied.

use crate::table::value::{SORTS, sort};

/// Where a cell stands in its record, without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The sorts of bytes in it.
    pub(crate) sorts: u8,
    /// Whether its quotes are doubled.
    pub(crate) doubled: bool,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A record: how many bytes it takes with the end of its line, and how many lines.
    Record { length: usize, lines: u64 },
    /// The record does not end within the bytes.
    More,
}

/// What is wrong, at which byte and in which cell.
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
    Cells,
}

impl Why {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::BareQuote => "a quote within a cell that is not in quotes",
            Self::AfterQuote => "something follows the closing quote of a cell",
            Self::Unclosed => "a quote is opened and never closed",
            Self::LoneReturn => "a carriage return without a line feed",
            Self::Nul => "a NUL byte",
            Self::Cells => "more cells than are read",
        }
    }
}

/// Looks for the ends of cells.
pub(crate) struct Scanner {
    sorts: [u8; 256],
    delimiter: u8,
    cells: usize,
}

impl Scanner {
    pub(crate) fn new(delimiter: u8, cells: usize) -> Self {
        let mut sorts = SORTS;
        for (byte, sort) in (0..=u8::MAX).zip(&mut sorts) {
            if [delimiter, b'"', b'\n', b'\r', 0].contains(&byte) {
                *sort = sort::END;
            }
        }
        Self { sorts, delimiter, cells }
    }

    /// Finds the first record. `ended` says that nothing follows the bytes.
    #[inline]
    pub(crate) fn scan(&self, bytes: &[u8], ended: bool, spans: &mut Vec<Span>) -> Result<Found, Fault> {
        spans.clear();
        let mut at = 0;
        let mut lines = 1;
        loop {
            if spans.len() == self.cells {
                return Err(Fault { at, cell: spans.len(), why: Why::Cells });
            }
            let quoted = bytes.get(at) == Some(&b'"');
            let span = if quoted {
                match self.quoted(bytes, at, ended, spans.len())? {
                    Some((span, more)) => {
                        lines += more;
                        span
                    }
                    None => return Ok(Found::More),
                }
            } else {
                self.plain(bytes, at)
            };
            at = span.end as usize + usize::from(quoted);
            spans.push(span);
            match bytes.get(at) {
                Some(next) if *next == self.delimiter => at += 1,
                Some(b'\n') => return Ok(Found::Record { length: at + 1, lines }),
                next => return self.end(next.copied(), bytes.get(at + 1), ended, quoted, (at, lines, spans.len() - 1)),
            }
        }
    }

    /// What follows a cell where it is neither a delimiter nor a line feed.
    fn end(
        &self,
        next: Option<u8>,
        follows: Option<&u8>,
        ended: bool,
        quoted: bool,
        (at, lines, cell): (usize, u64, usize),
    ) -> Result<Found, Fault> {
        let fault = |why| Err(Fault { at, cell, why });
        match (next, follows) {
            (Some(b'\r'), Some(b'\n')) => Ok(Found::Record { length: at + 2, lines }),
            (Some(b'\r'), None) if !ended => Ok(Found::More),
            (Some(b'\r'), _) => fault(Why::LoneReturn),
            (Some(0), _) => fault(Why::Nul),
            (Some(_), _) => fault(if quoted { Why::AfterQuote } else { Why::BareQuote }),
            (None, _) if ended => Ok(Found::Record { length: at, lines }),
            (None, _) => Ok(Found::More),
        }
    }

    #[inline]
    fn plain(&self, bytes: &[u8], start: usize) -> Span {
        let mut all = 0;
        let mut length = 0;
        for byte in bytes.get(start..).unwrap_or_default() {
            let sort = self.sorts.get(usize::from(*byte)).copied().unwrap_or(sort::END);
            if sort == sort::END {
                break;
            }
            all |= sort;
            length += 1;
        }
        Span { start: start as u32, end: (start + length) as u32, sorts: all, doubled: false }
    }

    /// A cell in quotes that begins at a byte, and how many lines it takes beyond the first.
    fn quoted(&self, bytes: &[u8], at: usize, ended: bool, cell: usize) -> Result<Option<(Span, u64)>, Fault> {
        let start = at + 1;
        let mut from = start;
        let mut doubled = false;
        loop {
            let Some(more) = memchr::memchr(b'"', bytes.get(from..).unwrap_or_default()) else {
                return if ended { Err(Fault { at, cell, why: Why::Unclosed }) } else { Ok(None) };
            };
            let end = from + more;
            match bytes.get(end + 1) {
                Some(b'"') => {
                    doubled = true;
                    from = end + 2;
                }
                // The next byte decides whether the quote is doubled.
                None if !ended => return Ok(None),
                _ => return self.close(bytes, (start, end), doubled, cell).map(Some),
            }
        }
    }

    fn close(
        &self,
        bytes: &[u8],
        (start, end): (usize, usize),
        doubled: bool,
        cell: usize,
    ) -> Result<(Span, u64), Fault> {
        let text = bytes.get(start..end).unwrap_or_default();
        let mut all = 0;
        let mut lines = 0;
        for byte in text {
            all |= SORTS.get(usize::from(*byte)).copied().unwrap_or(sort::OTHER);
            lines += u64::from(*byte == b'\n');
        }
        // Only bytes of the odd sort can be NUL.
        if all & sort::OTHER != 0
            && let Some(nul) = memchr::memchr(0, text)
        {
            return Err(Fault { at: start + nul, cell, why: Why::Nul });
        }
        Ok((Span { start: start as u32, end: end as u32, sorts: all, doubled }, lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Result<Vec<&str>, Why> {
        let mut spans = Vec::new();
        match Scanner::new(b',', 100).scan(text.as_bytes(), true, &mut spans) {
            Ok(Found::Record { .. }) => {
                Ok(spans.iter().map(|s| text.get(s.start as usize..s.end as usize).unwrap()).collect())
            }
            Ok(Found::More) => panic!("more of {text:?}"),
            Err(fault) => Err(fault.why),
        }
    }

    #[test]
    fn reads_strictly() {
        assert_eq!(cells("a,b\nc"), Ok(vec!["a", "b"]));
        assert_eq!(cells("a,\"b,\n c\",\r\n"), Ok(vec!["a", "b,\n c", ""]));
        assert_eq!(cells("\"a\"\"b\""), Ok(vec!["a\"\"b"]));
        assert_eq!(cells("a\"b"), Err(Why::BareQuote));
        assert_eq!(cells("\"a\"b"), Err(Why::AfterQuote));
        assert_eq!(cells("\"a"), Err(Why::Unclosed));
        assert_eq!(cells("a\rb"), Err(Why::LoneReturn));
        assert_eq!(cells("a\0"), Err(Why::Nul));
        assert_eq!(cells("\"a\0\""), Err(Why::Nul));
        assert_eq!(cells(&",".repeat(100)), Err(Why::Cells));
    }

    #[test]
    fn waits_for_the_rest() {
        let mut spans = Vec::new();
        for text in ["a,b", "a,\"b", "a,\"b\"", "a\r"] {
            assert_eq!(Scanner::new(b',', 9).scan(text.as_bytes(), false, &mut spans), Ok(Found::More), "{text}");
        }
    }
}
