//! Finds the cells of one record in a slice of bytes.
//!
//! Takes bytes that begin with a record; returns the spans of its cells and its length, or that more bytes are needed.
//! The rules are those of RFC 4180, strictly. Nothing is copied, and eight bytes are compared at once.

use deed_canon::Invariant;

use super::word::{BYTES, below_space, beyond_ascii, equal, every, first, up_to};

/// The place of a cell in its record, without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Its first byte.
    pub start: u32,
    /// The byte behind its last.
    pub end: u32,
    /// Its form.
    pub form: Form,
}

impl Span {
    /// The bytes of the cell, quotes doubled as they stand.
    #[inline]
    pub fn of<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        bytes.get(self.start as usize..self.end as usize).invariant("a cell lies within its record")
    }
}

/// The form of a cell, as far as the scanner knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// It is ASCII, without quotes or anything that JSON escapes.
    Plain,
    /// It may hold something that JSON escapes, or something that is not UTF-8.
    Unknown,
    /// Its quotes are doubled.
    Doubled,
}

/// The result of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A record, with the end of its line.
    Record {
        /// Its bytes.
        length: usize,
        /// Its lines.
        lines: u64,
    },
    /// The record does not end within the bytes.
    More,
}

/// A fault in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The byte, from the beginning of the record.
    pub at: usize,
    /// The cell, from 0.
    pub cell: usize,
    /// The kind of fault.
    pub kind: FaultKind,
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A quote within a cell that has none around it.
    BareQuote,
    /// Something behind a closing quote.
    AfterQuote,
    /// A quote without an end.
    Unclosed,
    /// A carriage return that ends no line.
    LoneReturn,
    /// A byte that is zero.
    Nul,
    /// More cells than the limit.
    Cells,
    /// More bytes in a cell than the limit.
    CellBytes,
}

impl FaultKind {
    /// The message: lowercase, without a final stop.
    pub fn message(self) -> &'static str {
        match self {
            Self::BareQuote => "a quote within a cell that is not in quotes",
            Self::AfterQuote => "something follows the closing quote of a cell",
            Self::Unclosed => "a quote is opened and never closed",
            Self::LoneReturn => "a carriage return without a line feed",
            Self::Nul => "a NUL byte",
            Self::Cells => "more cells than the limit",
            Self::CellBytes => "a cell with more bytes than the limit",
        }
    }
}

/// Looks for the ends of cells.
#[derive(Debug, Clone)]
pub struct Scanner {
    delimiter: u8,
    /// The delimiter in every byte.
    delimiters: u64,
    cells: usize,
    cell_bytes: usize,
}

impl Scanner {
    /// A scanner for records of at most so many cells of at most so many bytes.
    pub fn new(delimiter: u8, cells: usize, cell_bytes: usize) -> Self {
        Self { delimiter, delimiters: every(delimiter), cells, cell_bytes: cell_bytes.min(LONGEST) }
    }

    /// Finds the first record. `ended` states that nothing follows the bytes. The form of cells without quotes stays
    /// unknown.
    ///
    /// # Errors
    ///
    /// If the record is malformed or beyond the limits.
    #[inline]
    pub fn scan(&self, bytes: &[u8], ended: bool, spans: &mut Vec<Span>) -> Result<Found, Fault> {
        self.record::<false>(bytes, ended, spans)
    }

    /// As [`Self::scan`], and determines which cells are plain.
    ///
    /// # Errors
    ///
    /// If the record is malformed or beyond the limits.
    #[inline]
    pub fn scan_forms(&self, bytes: &[u8], ended: bool, spans: &mut Vec<Span>) -> Result<Found, Fault> {
        self.record::<true>(bytes, ended, spans)
    }

    #[inline]
    fn record<const FORMS: bool>(&self, bytes: &[u8], ended: bool, spans: &mut Vec<Span>) -> Result<Found, Fault> {
        spans.clear();
        let mut at = 0;
        let mut lines = 1;
        loop {
            if spans.len() == self.cells {
                return Err(Fault { at, cell: spans.len(), kind: FaultKind::Cells });
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
                let (end, form) = self.plain::<FORMS>(bytes, at);
                if end - at > self.cell_bytes || end > LONGEST {
                    return Err(Fault { at, cell: spans.len(), kind: FaultKind::CellBytes });
                }
                Span { start: at as u32, end: end as u32, form }
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

    /// Reads the end of a record behind a cell that neither a delimiter nor a line feed follows.
    fn end(
        &self,
        next: Option<u8>,
        follows: Option<&u8>,
        ended: bool,
        quoted: bool,
        (at, lines, cell): (usize, u64, usize),
    ) -> Result<Found, Fault> {
        let fault = |kind| Err(Fault { at, cell, kind });
        match (next, follows) {
            (Some(b'\r'), Some(b'\n')) => Ok(Found::Record { length: at + 2, lines }),
            (Some(b'\r'), None) if !ended => Ok(Found::More),
            (Some(b'\r'), _) => fault(FaultKind::LoneReturn),
            (Some(0), _) => fault(FaultKind::Nul),
            (Some(_), _) => fault(if quoted { FaultKind::AfterQuote } else { FaultKind::BareQuote }),
            (None, _) if ended => Ok(Found::Record { length: at, lines }),
            (None, _) => Ok(Found::More),
        }
    }

    /// The end of a cell that is not in quotes, and its form.
    #[inline]
    fn plain<const FORMS: bool>(&self, bytes: &[u8], start: usize) -> (usize, Form) {
        let (mut at, mut plain) = self.suspect::<FORMS>(bytes, start);
        // Any other control character, such as a tab between words, belongs to the cell.
        while let Some(byte) = bytes.get(at)
            && *byte != self.delimiter
            && !matches!(byte, b'\n' | b'"' | b'\r' | 0)
        {
            at = self.suspect::<FORMS>(bytes, at + 1).0;
            plain = false;
        }
        (at, if plain { Form::Plain } else { Form::Unknown })
    }

    /// The first delimiter, quote or control character from a byte on, and whether all before it is surely plain.
    #[inline]
    fn suspect<const FORMS: bool>(&self, bytes: &[u8], from: usize) -> (usize, bool) {
        let mut at = from;
        // Bytes that JSON escapes or that are not ASCII.
        let mut looks = 0;
        while let Some(word) = word(bytes, at) {
            let marks = below_space(word) | equal(word, QUOTES) | equal(word, self.delimiters);
            let odd = if FORMS { beyond_ascii(word) | equal(word, BACKSLASHES) } else { 0 };
            match first(marks) {
                Some(byte) => return (at + byte, FORMS && (looks | odd & up_to(byte)) == 0),
                None => at += BYTES,
            }
            looks |= odd;
        }
        let rest = bytes.get(at..).invariant(WITHIN);
        let is_suspect = |byte: &u8| *byte == self.delimiter || *byte == b'"' || *byte < b' ';
        let length = rest.iter().position(is_suspect).unwrap_or(rest.len());
        let is_plain = |byte: &u8| byte.is_ascii() && *byte != b'\\';
        (at + length, FORMS && looks == 0 && rest.iter().take(length).all(is_plain))
    }

    /// A cell in quotes that begins at a byte, and how many lines it takes beyond the first.
    fn quoted(&self, bytes: &[u8], at: usize, ended: bool, cell: usize) -> Result<Option<(Span, u64)>, Fault> {
        let start = at + 1;
        let mut from = start;
        let (mut doubled, mut controls) = (false, false);
        loop {
            let Some((end, more)) = quote(bytes, from) else {
                let too_long = bytes.len() - start > self.cell_bytes;
                let fault = |kind| Err(Fault { at, cell, kind });
                return match ended {
                    true => fault(FaultKind::Unclosed),
                    false if too_long => fault(FaultKind::CellBytes),
                    false => Ok(None),
                };
            };
            controls |= more;
            match bytes.get(end + 1) {
                Some(b'"') => {
                    doubled = true;
                    from = end + 2;
                }
                // The next byte decides whether the quote is doubled.
                None if !ended => return Ok(None),
                _ => {
                    if end - start > self.cell_bytes || end > LONGEST {
                        return Err(Fault { at, cell, kind: FaultKind::CellBytes });
                    }
                    let lines = if controls { lines(bytes, start, end, cell)? } else { 0 };
                    let form = if doubled { Form::Doubled } else { Form::Unknown };
                    return Ok(Some((Span { start: start as u32, end: end as u32, form }, lines)));
                }
            }
        }
    }
}

const WITHIN: &str = "a scan stays within its bytes";
const QUOTES: u64 = every(b'"');
const BACKSLASHES: u64 = every(b'\\');

/// The largest offset of a span.
const LONGEST: usize = u32::MAX as usize;

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<BYTES>().map(|word| u64::from_le_bytes(*word))
}

/// The first quote from a byte on, and whether a control character stands before it.
#[inline]
fn quote(bytes: &[u8], from: usize) -> Option<(usize, bool)> {
    let (mut at, mut controls) = (from, false);
    while let Some(word) = word(bytes, at) {
        let found = first(equal(word, QUOTES));
        // A mark is exact up to the first byte it marks, so before the quote there is one only where one is meant.
        let control = first(below_space(word));
        controls |= control.is_some_and(|control| found.is_none_or(|found| control < found));
        match found {
            Some(byte) => return Some((at + byte, controls)),
            None => at += BYTES,
        }
    }
    let rest = bytes.get(at..).invariant(WITHIN);
    let length = rest.iter().position(|byte| *byte == b'"')?;
    controls |= rest.iter().take(length).any(|byte| *byte < b' ');
    Some((at + length, controls))
}

/// Counts the line ends within a cell, which must not hold a NUL.
#[cold]
fn lines(bytes: &[u8], start: usize, end: usize, cell: usize) -> Result<u64, Fault> {
    let text = bytes.get(start..end).invariant(WITHIN);
    match memchr::memchr(0, text) {
        Some(nul) => Err(Fault { at: start + nul, cell, kind: FaultKind::Nul }),
        None => Ok(memchr::memchr_iter(b'\n', text).count() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanner() -> Scanner {
        Scanner::new(b',', 100, 70)
    }

    fn cells(text: &str) -> Result<Vec<&str>, FaultKind> {
        let mut spans = Vec::new();
        match scanner().scan(text.as_bytes(), true, &mut spans) {
            Ok(Found::Record { .. }) => {
                Ok(spans.iter().map(|s| text.get(s.start as usize..s.end as usize).unwrap()).collect())
            }
            Ok(Found::More) => panic!("more of {text:?}"),
            Err(fault) => Err(fault.kind),
        }
    }

    #[test]
    fn reads_strictly() {
        assert_eq!(cells("a,b\nc"), Ok(vec!["a", "b"]));
        assert_eq!(cells("a,\"b,\n c\",\r\n"), Ok(vec!["a", "b,\n c", ""]));
        assert_eq!(cells("\"a\"\"b\""), Ok(vec!["a\"\"b"]));
        assert_eq!(cells("a\"b"), Err(FaultKind::BareQuote));
        assert_eq!(cells("\"a\"b"), Err(FaultKind::AfterQuote));
        assert_eq!(cells("\"a"), Err(FaultKind::Unclosed));
        assert_eq!(cells("a\rb"), Err(FaultKind::LoneReturn));
        assert_eq!(cells("a\0"), Err(FaultKind::Nul));
        assert_eq!(cells("\"a\0\""), Err(FaultKind::Nul));
        assert_eq!(cells(&",".repeat(100)), Err(FaultKind::Cells));
        for long in ["x".repeat(71), format!("\"{}\"", "x".repeat(71))] {
            assert_eq!(cells(&long), Err(FaultKind::CellBytes));
            assert_eq!(scanner().scan(&long.as_bytes()[..70], false, &mut Vec::new()), Ok(Found::More));
        }
        let unclosed = format!("\"{}", "x".repeat(71));
        let fault = scanner().scan(unclosed.as_bytes(), false, &mut Vec::new()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::CellBytes);
    }

    #[test]
    fn waits_for_the_rest() {
        let mut spans = Vec::new();
        for text in ["a,b", "a,\"b", "a,\"b\"", "a\r"] {
            assert_eq!(scanner().scan(text.as_bytes(), false, &mut spans), Ok(Found::More), "{text}");
        }
    }

    /// The same, byte by byte.
    fn slowly(text: &[u8], ended: bool, spans: &mut Vec<Span>) -> Result<Found, Fault> {
        let (mut at, mut lines) = (0, 1);
        loop {
            let (cell, quoted) = (spans.len(), text.get(at) == Some(&b'"'));
            let begin = at;
            let mut span = Span { start: at as u32, end: 0, form: Form::Unknown };
            if quoted {
                span.start += 1;
                at += 1;
                loop {
                    match (text.get(at), text.get(at + 1)) {
                        (None, _) if ended => return Err(Fault { at: begin, cell, kind: FaultKind::Unclosed }),
                        (None, _) => return Ok(Found::More),
                        (Some(b'"'), None) if !ended => return Ok(Found::More),
                        (Some(b'"'), Some(b'"')) => (span.form, at) = (Form::Doubled, at + 2),
                        (Some(b'"'), _) => break,
                        _ => at += 1,
                    }
                }
                let inner = &text[begin + 1..at];
                if let Some(nul) = inner.iter().position(|byte| *byte == 0) {
                    return Err(Fault { at: begin + 1 + nul, cell, kind: FaultKind::Nul });
                }
                lines += inner.iter().filter(|byte| **byte == b'\n').count() as u64;
            } else {
                while text.get(at).is_some_and(|byte| !b",\"\n\r\0".contains(byte)) {
                    at += 1;
                }
            }
            span.end = at as u32;
            at += usize::from(quoted);
            spans.push(span);
            let fault = |kind| Err(Fault { at, cell, kind });
            return match (text.get(at), text.get(at + 1)) {
                (Some(b','), _) => {
                    at += 1;
                    continue;
                }
                (Some(b'\n'), _) => Ok(Found::Record { length: at + 1, lines }),
                (Some(b'\r'), Some(b'\n')) => Ok(Found::Record { length: at + 2, lines }),
                (Some(b'\r'), None) if !ended => Ok(Found::More),
                (Some(b'\r'), _) => fault(FaultKind::LoneReturn),
                (Some(0), _) => fault(FaultKind::Nul),
                (Some(_), _) => fault(if quoted { FaultKind::AfterQuote } else { FaultKind::BareQuote }),
                (None, _) if ended => Ok(Found::Record { length: at, lines }),
                (None, _) => Ok(Found::More),
            };
        }
    }

    proptest::proptest! {
        #[test]
        fn words_and_bytes_find_the_same(
            text in proptest::collection::vec(proptest::sample::select(&b"aaaaaab, ,,\"\"\"\n\r\0\t\x1f!#\\\x80\xa2\xac\xff"[..]), 0..60),
            ended: bool,
        ) {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let found = scanner().scan(&text, ended, &mut fast);
            proptest::prop_assert_eq!(found, slowly(&text, ended, &mut slow));
            proptest::prop_assert_eq!(&fast, &slow);
            let found = scanner().scan_forms(&text, ended, &mut slow);
            proptest::prop_assert_eq!(found, slowly(&text, ended, &mut Vec::new()));
            for (unknown, known) in fast.iter().zip(&slow) {
                proptest::prop_assert_eq!((unknown.start, unknown.end), (known.start, known.end));
                let before = (unknown.start as usize).checked_sub(1).and_then(|before| text.get(before));
                let plain = known.of(&text).iter().all(|b| (b' '..0x80).contains(b) && *b != b'\\');
                // In quotes nothing is looked for but quotes.
                let quoted = before == Some(&b'"') && known.form != Form::Plain;
                proptest::prop_assert!(quoted || plain == (known.form == Form::Plain), "{known:?}");
            }
        }
    }
}
