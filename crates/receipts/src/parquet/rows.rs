//! The rows of a Parquet file, summarised as the rows of its JSON form would be.
//!
//! Receipts were first made from that form, and a receipt that is derived again must be the same: a finding names the line
//! that its row has there, and long texts are cut and hashed in the same blocks.

use crate::context::{FormatReport, InspectContext, at_offset, fails, not_checked};
use crate::inspect::ReadSeek;
use crate::json::Rows;
use crate::sentinel::{SEARCHED_BYTES, TextContext};
use crate::table::hash::{hash, mix};
use crate::table::value::{self, Value};
use deed_diag::Invariant as _;
use deed_model::{ContentSummary, Coverage, FoundAt, ParseOutcome};
use deed_table::parquet::{
    Cell, NumberForm, ParquetColumn, ParquetError, ParquetErrorKind, ParquetLimits, RowVisitor, read_rows,
};
use std::io;

/// The maximum size of a row group in memory.
const HELD: usize = 16 << 20;

/// Columns of a file that are read.
const COLUMNS: usize = 2_000;

/// Reads all rows.
pub(crate) fn inspect(input: &mut dyn ReadSeek, context: &mut InspectContext<'_>) -> io::Result<FormatReport> {
    let limits = ParquetLimits { input_bytes: u64::MAX, held_bytes: HELD, rows: u64::MAX, columns: COLUMNS };
    let rows = Rows::new(context.limits);
    let mut summary = Summary { context, rows, names: Vec::new(), row: 1 };
    let mut input = input;
    match read_rows(&mut input, &limits, &mut summary) {
        Ok(()) => {
            summary.rows.note(summary.context);
            let table = summary.rows.summary(Coverage::Complete);
            Ok(FormatReport { parse: ParseOutcome::Parses, summary: ContentSummary::Table(table) })
        }
        Err(error) => Ok(FormatReport::opaque(refusal(&error)?)),
    }
}

/// The outcome of an error: a file whose rows are not read need not be damaged. A failed read is an error of this
/// machine, and not a property of the file.
fn refusal(error: &ParquetError) -> io::Result<ParseOutcome> {
    Ok(match error.kind {
        ParquetErrorKind::Read => return Err(io::Error::other(error.message.clone())),
        ParquetErrorKind::Damaged | ParquetErrorKind::DuplicateColumn | ParquetErrorKind::Text => {
            fails(at_offset(error.offset.unwrap_or(0)), message(error))
        }
        ParquetErrorKind::Limit
        | ParquetErrorKind::Encrypted
        | ParquetErrorKind::Nested
        | ParquetErrorKind::Unsupported
        | ParquetErrorKind::Number
        | ParquetErrorKind::Time => not_checked(format!("the rows are not read: {}", message(error))),
    })
}

/// The message of an error as receipts have it.
fn message(error: &ParquetError) -> String {
    match error.kind {
        ParquetErrorKind::DuplicateColumn => {
            format!("two columns are called {}", crate::context::quote(error.column.as_deref().unwrap_or_default()))
        }
        ParquetErrorKind::Number => "`…` is a number that not every reader reads alike".to_owned(),
        _ => error.message.clone(),
    }
}

/// The summary of the rows that were read.
struct Summary<'s, 'l> {
    context: &'s mut InspectContext<'l>,
    rows: Rows,
    /// The names of the columns with their hashes.
    names: Vec<(String, u64)>,
    row: u64,
}

impl RowVisitor for Summary<'_, '_> {
    type Error = ParquetError;

    fn columns(&mut self, columns: &[ParquetColumn]) -> Result<Vec<NumberForm>, ParquetError> {
        self.names = columns.iter().map(|column| (column.name().to_owned(), text_hash(column.name()))).collect();
        Ok(vec![NumberForm::Number; columns.len()])
    }

    fn cell(&mut self, column: usize, cell: Cell<'_>) -> Result<(), ParquetError> {
        // A column is listed with its first row, as a key of JSON is.
        let (name, name_hash) = self.names.get(column).invariant("a cell belongs to a column");
        let column = self.rows.column(name.as_bytes(), *name_hash);
        let (value, written, hash) = match cell {
            Cell::Null => (Value::Null, "null", hash(b"null")),
            Cell::Boolean(true) => (Value::Boolean, "true", hash(b"true")),
            Cell::Boolean(false) => (Value::Boolean, "false", hash(b"false")),
            Cell::Number(literal) => (value::of_number(literal.as_bytes()), literal, hash(literal.as_bytes())),
            Cell::Plain(text) | Cell::Text(text) => {
                self.placeholder(column, text);
                let head = head(text);
                (value::of_text(head, value::byte_classes(head)), text, text_hash(text))
            }
        };
        if let Some(column) = column {
            self.rows.see(column, value, head(written), hash);
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), ParquetError> {
        self.rows.end_row();
        self.row += 1;
        Ok(())
    }
}

impl Summary<'_, '_> {
    fn placeholder(&mut self, column: Option<usize>, text: &str) {
        if !self.context.sentinels.needles().is_match(text.as_bytes()) {
            return;
        }
        if text.len() >= SEARCHED_BYTES {
            self.context.note("of strings beyond 65536 bytes only the beginning was searched for placeholders");
        }
        let (line, row) = (self.row + 1, self.row);
        let place = || FoundAt { line: Some(line), row: Some(row), ..FoundAt::default() };
        let field = column.map(|column| self.rows.name(column)).unwrap_or_default();
        self.context.sentinels.check(head(text), TextContext::Prose, Some(field), place);
    }
}

/// The part of a text that is inspected.
fn head(text: &str) -> &[u8] {
    text.as_bytes().get(..SEARCHED_BYTES).unwrap_or(text.as_bytes())
}

/// The hash of a text; a long one is hashed in blocks.
fn text_hash(text: &str) -> u64 {
    let bytes = text.as_bytes();
    if bytes.len() < SEARCHED_BYTES {
        return hash(bytes);
    }
    let blocks = bytes.chunks_exact(SEARCHED_BYTES);
    let rest = hash(blocks.remainder());
    mix(blocks.fold(0, |all, block| mix(all, hash(block))), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::InspectLimits;
    use crate::sentinel::Sentinels;
    use std::io::{Read, Seek, SeekFrom};

    /// A file of 100 bytes on a disk that fails.
    struct FailingDisk;

    impl Read for FailingDisk {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk fails"))
        }
    }

    impl Seek for FailingDisk {
        fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
            Ok(100)
        }
    }

    #[test]
    fn a_failed_read_is_an_error_and_not_a_finding_about_the_file() {
        let limits = InspectLimits::default();
        let mut context = InspectContext::new(&limits, Sentinels::new().unwrap());
        assert!(inspect(&mut FailingDisk, &mut context).is_err());
    }
}
