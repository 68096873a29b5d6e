//! Reads CSV or TSV record by record, with the header first.
//!
//! Turns an input into the names of the columns and then records of exactly as many cells.

use crate::delimited::Dialect;
use crate::error::{AdapterError, ErrorKind, Place, quote};
use crate::limits::Limits;
use crate::note::{NoteKind, Notes};
use deed_canon::Invariant;
use deed_table::Input;
use deed_table::Window;
use deed_table::cells::{Fault, FaultKind, Form, Found, Scanner, Span};
use std::borrow::Cow;
use std::collections::HashSet;

/// The hint for a table with another delimiter.
pub(crate) const OTHER_DELIMITER: &str = "the header is one column; save the file with the delimiter that its kind has";

/// The records of a table.
pub(crate) struct Records<'i> {
    window: Window<'i>,
    scanner: Scanner,
    limits: Limits,
    pub(crate) header: Vec<String>,
    spans: Vec<Span>,
    line: u64,
    row: u64,
    /// True if the header has the delimiter of another dialect in its one column.
    mistaken: bool,
}

/// A record as it stands in the window.
#[derive(Clone, Copy)]
pub(crate) struct Record<'r> {
    /// The record and whatever follows it in the window.
    pub(crate) bytes: &'r [u8],
    pub(crate) spans: &'r [Span],
    /// Counted from one, the header being the first.
    pub(crate) line: u64,
    /// Counted from one, without the header.
    pub(crate) row: u64,
    /// The offset of the record in the input.
    offset: u64,
}

impl<'r> Record<'r> {
    /// The text of a cell. Its encoding is checked here.
    #[inline]
    pub(crate) fn cell(&self, span: &Span) -> Result<Cow<'r, str>, AdapterError> {
        let text = std::str::from_utf8(span.of(self.bytes)).map_err(|error| {
            let offset = self.offset + u64::from(span.start) + error.valid_up_to() as u64;
            AdapterError::new(ErrorKind::Encoding, "the bytes are not UTF-8")
                .at(Place::line(self.line).at_offset(offset))
                .help("save the table as UTF-8; other encodings are not guessed")
        })?;
        Ok(if span.form == Form::Doubled { Cow::Owned(text.replace("\"\"", "\"")) } else { Cow::Borrowed(text) })
    }

    pub(crate) fn place(&self, name: &str) -> Place {
        Place { line: Some(self.line), ..Place::row(self.row) }.in_column(name)
    }
}

impl<'i> Records<'i> {
    /// Opens a table and reads its header.
    pub(crate) fn open(
        input: &'i mut dyn Input,
        dialect: Dialect,
        limits: &Limits,
        notes: &mut Notes,
    ) -> Result<Self, AdapterError> {
        let mut window = Window::open(input, limits.input_bytes)?;
        while window.rest().len() < 3 && !window.ended() {
            window.more()?;
        }
        if window.rest().starts_with(b"\xef\xbb\xbf") {
            window.consume(3);
            notes.add(NoteKind::ByteOrderMark, || Place::offset(0));
        }
        let scanner = Scanner::new(dialect.delimiter(), limits.columns, limits.cell_bytes);
        let mut records = Self {
            window,
            scanner,
            limits: *limits,
            header: Vec::new(),
            spans: Vec::new(),
            line: 1,
            row: 0,
            mistaken: false,
        };
        let mut header = None;
        records.read(notes, Until::Header, &mut |record, _| {
            let names: Result<_, AdapterError> =
                record.spans.iter().map(|span| Ok(record.cell(span)?.into_owned())).collect();
            header = Some(names?);
            Ok(())
        })?;
        records.header = header.ok_or_else(|| {
            AdapterError::new(ErrorKind::Header, "the table is empty, without a header")
                .help("write the names of the columns in the first line")
        })?;
        records.row = 0;
        check_header(&records.header)?;
        records.mistaken = dialect.mistaken(&records.header).is_some();
        if records.mistaken {
            let name = records.header.first().map_or("", String::as_str);
            notes.add(NoteKind::OtherDelimiter, || Place::line(1).in_column(name));
        }
        Ok(records)
    }

    /// Hands every record to `each`.
    pub(crate) fn each(
        &mut self,
        notes: &mut Notes,
        mut each: impl FnMut(&Record<'_>, &mut Notes) -> Result<(), AdapterError>,
    ) -> Result<(), AdapterError> {
        let mistaken = self.mistaken;
        self.read(notes, Until::End, &mut each).map_err(|error| match error.kind {
            ErrorKind::Ragged if mistaken => error.help(OTHER_DELIMITER),
            _ => error,
        })
    }

    fn read(
        &mut self,
        notes: &mut Notes,
        until: Until,
        each: &mut impl FnMut(&Record<'_>, &mut Notes) -> Result<(), AdapterError>,
    ) -> Result<(), AdapterError> {
        loop {
            let (base, ended) = (self.window.offset(), self.window.ended());
            let mut bytes = self.window.rest();
            let whole = bytes.len();
            let mut done = false;
            while !done && !bytes.is_empty() {
                let offset = base + (whole - bytes.len()) as u64;
                let found = self.scanner.scan_forms(bytes, ended, &mut self.spans);
                let (length, lines) = match found.map_err(|fault| self.refusal(offset, fault))? {
                    Found::Record { length, lines } => (length, lines),
                    Found::More => break,
                };
                let blank = matches!(*self.spans, [Span { start: 0, end: 0, .. }]);
                if blank {
                    let line = self.line;
                    notes.add(NoteKind::BlankLine, || Place::line(line));
                } else {
                    self.row += 1;
                    self.check(length)?;
                    each(&Record { bytes, spans: &self.spans, line: self.line, row: self.row, offset }, notes)?;
                    done = until == Until::Header;
                }
                bytes = bytes.get(length..).invariant("a record lies within the window");
                self.line += lines;
            }
            let left = bytes.len();
            self.window.consume(whole - left);
            if done || (left == 0 && ended) {
                return Ok(());
            }
            self.check_length(left)?;
            self.window.more()?;
        }
    }

    /// Refuses a record that is one too many, too long, or not as wide as the header.
    #[inline]
    fn check(&self, length: usize) -> Result<(), AdapterError> {
        let place = || Place { line: Some(self.line), ..Place::row(self.row) };
        self.check_length(length)?;
        if self.row > self.limits.rows {
            return Err(AdapterError::limit(format_args!("{} rows", self.limits.rows)).at(place()));
        }
        if !self.header.is_empty() && self.spans.len() != self.header.len() {
            return Err(ragged(self.spans.len(), self.header.len(), place()));
        }
        Ok(())
    }

    fn check_length(&self, length: usize) -> Result<(), AdapterError> {
        if length <= self.limits.row_bytes {
            return Ok(());
        }
        Err(AdapterError::limit(format_args!("{} bytes in one row", self.limits.row_bytes)).at(Place::line(self.line)))
    }

    fn refusal(&self, offset: u64, fault: Fault) -> AdapterError {
        let mut place = Place::line(self.line).at_offset(offset + fault.at as u64);
        if let Some(name) = self.header.get(fault.cell) {
            place = place.in_column(name);
        }
        let help = "put a cell with quotes, delimiters or line ends in quotes, and double its own quotes";
        let syntax = |message| AdapterError::new(ErrorKind::Syntax, message).help(help);
        match fault.kind {
            kind @ (FaultKind::BareQuote | FaultKind::AfterQuote | FaultKind::Unclosed | FaultKind::LoneReturn) => {
                syntax(kind.message())
            }
            kind @ FaultKind::Nul => {
                AdapterError::new(ErrorKind::Encoding, kind.message()).help("this is not a text file")
            }
            FaultKind::Cells => AdapterError::limit(format_args!("{} columns", self.limits.columns)),
            FaultKind::CellBytes => AdapterError::limit(format_args!("{} bytes in one cell", self.limits.cell_bytes)),
        }
        .at(place)
    }
}

/// The point up to which records are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    Header,
    End,
}

fn ragged(cells: usize, expected: usize, place: Place) -> AdapterError {
    let word = if cells == 1 { "cell" } else { "cells" };
    AdapterError::new(ErrorKind::Ragged, format!("{cells} {word} where the header has {expected}"))
        .at(place)
        .help("every line has as many cells as the header; a delimiter within a cell needs quotes around the cell")
}

fn check_header(header: &[String]) -> Result<(), AdapterError> {
    let mut seen = HashSet::new();
    for (i, name) in header.iter().enumerate() {
        let refused = |message| Err(AdapterError::new(ErrorKind::Header, message).at(Place::line(1)));
        if name.is_empty() {
            return refused(format!("the name of column {} is empty", i + 1));
        }
        if !seen.insert(name) {
            return refused(format!("two columns are called {}", quote(name)));
        }
    }
    Ok(())
}
