//! The rows of a Parquet file, summarised as the rows of its JSON form would be.
//!
//! Receipts were first made from that form, and a receipt that is made again must be the same: a finding names the line
//! that its row has there, and long texts are cut and hashed in the same blocks.

use crate::inspect::ReadSeek;
use crate::json::Rows;
use crate::look::{Look, Looked, at_offset, fails, not_checked};
use crate::sentinel::{Around, LOOKED_AT};
use crate::table::hash::{hash, mix};
use crate::table::value::{self, Value};
use deed_model::{ContentSummary, Coverage, FoundAt, ParseOutcome};
use deed_table::parquet::{
    Cell, NumberForm, ParquetColumn, ParquetError, ParquetErrorKind, ParquetLimits, RowVisitor, read_rows,
};

/// Bytes of a row group that are held.
const HELD: usize = 16 << 20;

/// Columns of a file that are read.
const COLUMNS: usize = 2_000;

/// Reads all rows.
pub(crate) fn look(input: &mut dyn ReadSeek, look: &mut Look<'_>) -> Looked {
    let limits = ParquetLimits { input_bytes: u64::MAX, held_bytes: HELD, rows: u64::MAX, columns: COLUMNS };
    let rows = Rows::new(look.limits);
    let mut summary = Summary { look, rows, names: Vec::new(), row: 1 };
    let mut input = input;
    match read_rows(&mut input, &limits, &mut summary) {
        Ok(()) => {
            summary.rows.note(summary.look);
            let table = summary.rows.summary(Coverage::Complete);
            Looked { parse: ParseOutcome::Parses, summary: ContentSummary::Table(table) }
        }
        Err(error) => Looked::opaque(refusal(&error)),
    }
}

/// The outcome that an error stands for: a file that is not read need not be damaged.
fn refusal(error: &ParquetError) -> ParseOutcome {
    match error.kind {
        ParquetErrorKind::Read
        | ParquetErrorKind::Damaged
        | ParquetErrorKind::DuplicateColumn
        | ParquetErrorKind::Text => fails(at_offset(error.offset.unwrap_or(0)), message(error)),
        ParquetErrorKind::Limit
        | ParquetErrorKind::Encrypted
        | ParquetErrorKind::Nested
        | ParquetErrorKind::Unsupported
        | ParquetErrorKind::Number
        | ParquetErrorKind::Time => not_checked(format!("the rows are not read: {}", message(error))),
    }
}

/// The message of an error as receipts have it.
fn message(error: &ParquetError) -> String {
    match error.kind {
        ParquetErrorKind::DuplicateColumn => {
            format!("two columns are called {}", crate::look::quote(error.column.as_deref().unwrap_or_default()))
        }
        ParquetErrorKind::Number => "`…` is a number that not every reader reads alike".to_owned(),
        _ => error.message.clone(),
    }
}

/// The summary of the rows that were read.
struct Summary<'s, 'l> {
    look: &'s mut Look<'l>,
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
        let column = self.names.get(column).and_then(|(name, hash)| self.rows.column(name.as_bytes(), *hash));
        let (value, written, hash) = match cell {
            Cell::Null => (Value::Null, "null", hash(b"null")),
            Cell::Boolean(true) => (Value::Boolean, "true", hash(b"true")),
            Cell::Boolean(false) => (Value::Boolean, "false", hash(b"false")),
            Cell::Number(literal) => (value::of_number(literal.as_bytes()), literal, hash(literal.as_bytes())),
            Cell::Plain(text) | Cell::Text(text) => {
                self.placeholder(column, text);
                let head = head(text);
                (value::of_text(head, value::sorts(head)), text, text_hash(text))
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
        if !self.look.sentinels.needles().is_match(text.as_bytes()) {
            return;
        }
        if text.len() >= LOOKED_AT {
            self.look.note("of strings beyond 65536 bytes only the beginning was searched for placeholders");
        }
        let (line, row) = (self.row + 1, self.row);
        let place = || FoundAt { line: Some(line), row: Some(row), ..FoundAt::default() };
        let field = column.map(|column| self.rows.name(column)).unwrap_or_default();
        self.look.sentinels.check(head(text), Around::Nothing, Some(field), place);
    }
}

/// The part of a text that is looked at.
fn head(text: &str) -> &[u8] {
    text.as_bytes().get(..LOOKED_AT).unwrap_or(text.as_bytes())
}

/// The hash of a text, of a long one in blocks.
fn text_hash(text: &str) -> u64 {
    let bytes = text.as_bytes();
    if bytes.len() < LOOKED_AT {
        return hash(bytes);
    }
    let blocks = bytes.chunks_exact(LOOKED_AT);
    let rest = hash(blocks.remainder());
    mix(blocks.fold(0, |all, block| mix(all, hash(block))), rest)
}
