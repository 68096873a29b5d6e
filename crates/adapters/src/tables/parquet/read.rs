//! `parquet_to_json_rows.v1`.
//!
//! What enters is a Parquet file with flat columns; what leaves is an object for each row. Dates and instants become
//! text, decimals keep all their digits. Null stays null, unless the row schema says that the column is optional and
//! never null: then it is absent. A number that not every reader reads alike is refused, unless the row schema says
//! that its column is text. One row group is held at a time.

use crate::adapter::{Adapted, only};
use crate::columns::{Column, RowType, Type};
use crate::error::{AdapterError, ErrorKind, LIMIT_HELP, Place, quote};
use crate::note::{NoteKind, Notes};
use crate::number;
use crate::rows::{RowWriter, put_string};
use crate::settings::Settings;
use deed_diag::Invariant;
use deed_table::Input;
use deed_table::parquet::{
    Cell, NumberForm, ParquetColumn, ParquetError, ParquetErrorKind, ParquetLimits, RowVisitor, read_rows,
};
use std::collections::HashSet;
use std::io::Write;

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let limits = ParquetLimits {
        input_bytes: settings.limits.input_bytes,
        held_bytes: settings.limits.held_bytes,
        rows: settings.limits.rows,
        columns: settings.limits.columns,
    };
    let mut rows = JsonRows {
        row_type: RowType::read(settings.row)?,
        columns: Vec::new(),
        writer: RowWriter::new(output, settings.limits.output_bytes),
        notes: Notes::default(),
        within: Within::Between,
    };
    read_rows(only(inputs)?, &limits, &mut rows)?;
    let (out, count) = rows.writer.close();
    out.finish(Some(count), rows.notes)
}

/// A column as it is written.
struct Written {
    /// The name in quotes, and a colon.
    key: Vec<u8>,
    drop_null: bool,
}

/// The state of the row that is being written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// No row is open.
    Between,
    /// A row is open and has no member yet.
    Empty,
    /// A row is open and has members.
    Members,
}

/// Writes rows as they are read.
struct JsonRows<'o> {
    row_type: RowType,
    columns: Vec<Written>,
    writer: RowWriter<'o>,
    notes: Notes,
    within: Within,
}

impl RowVisitor for JsonRows<'_> {
    type Error = AdapterError;

    fn columns(&mut self, columns: &[ParquetColumn]) -> Result<Vec<NumberForm>, AdapterError> {
        let forms = columns.iter().map(|column| self.column(column)).collect::<Result<Vec<_>, _>>()?;
        let names: HashSet<&str> = columns.iter().map(ParquetColumn::name).collect();
        match self.row_type.names().find(|(name, column)| column.required && !names.contains(*name)) {
            Some((name, _)) => {
                let message = format!("the required column {} is not in the file", quote(name));
                Err(AdapterError::new(ErrorKind::Header, message))
            }
            None => Ok(forms),
        }
    }

    #[inline]
    fn cell(&mut self, column: usize, cell: Cell<'_>) -> Result<(), AdapterError> {
        self.begin();
        let out = &mut self.writer.out.buffer;
        let written = self.columns.get(column).invariant("a cell belongs to a column that was announced");
        if cell == Cell::Null && written.drop_null {
            return Ok(());
        }
        if self.within == Within::Members {
            out.push(b',');
        }
        self.within = Within::Members;
        out.extend_from_slice(&written.key);
        match cell {
            Cell::Null => out.extend_from_slice(b"null"),
            Cell::Boolean(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Cell::Number(literal) => out.extend_from_slice(literal.as_bytes()),
            Cell::Plain(text) => {
                out.push(b'"');
                out.extend_from_slice(text.as_bytes());
                out.push(b'"');
            }
            Cell::Text(text) => put_string(out, text),
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), AdapterError> {
        self.begin();
        self.within = Within::Between;
        self.writer.end()
    }
}

impl JsonRows<'_> {
    #[inline]
    fn begin(&mut self) {
        if self.within == Within::Between {
            self.writer.begin();
            self.within = Within::Empty;
        }
    }

    fn column(&mut self, column: &ParquetColumn) -> Result<NumberForm, AdapterError> {
        let place = || Place::default().in_column(column.name());
        if column.is_bytes() {
            self.notes.add(NoteKind::BytesAsText, place);
        }
        let declared = self.row_type.column(column.name()).map_err(|error| error.at(place()))?;
        let as_text = column.is_numeric() && declared.of == Type::Text;
        if as_text {
            self.notes.add(NoteKind::NumberAsText, place);
        }
        let drop_null = self.row_type.given && matches!(declared, Column { required: false, nullable: false, .. });
        let mut key = Vec::new();
        put_string(&mut key, column.name());
        key.push(b':');
        self.columns.push(Written { key, drop_null });
        Ok(if as_text { NumberForm::Text } else { NumberForm::Number })
    }
}

impl From<ParquetError> for AdapterError {
    fn from(error: ParquetError) -> Self {
        let mut place = Place { row: error.row, offset: error.offset, ..Place::default() };
        if let Some(name) = &error.column {
            place = place.in_column(name);
        }
        let of = |kind| AdapterError::new(kind, error.message.clone());
        match error.kind {
            ParquetErrorKind::Number => number::refusal("…", place),
            ParquetErrorKind::DuplicateColumn => {
                let message = match &error.column {
                    Some(name) => format!("two columns are called {}", quote(name)),
                    None => error.message.clone(),
                };
                AdapterError::new(ErrorKind::Header, message)
            }
            ParquetErrorKind::Read => of(ErrorKind::Read),
            ParquetErrorKind::Limit => of(ErrorKind::Limit).help(LIMIT_HELP),
            ParquetErrorKind::Damaged => {
                of(ErrorKind::Syntax).at(place).help("the file is damaged or not a Parquet file; make it again")
            }
            ParquetErrorKind::Encrypted => of(ErrorKind::Encrypted),
            ParquetErrorKind::Nested => of(ErrorKind::Nested).at(place).help("flatten it before"),
            ParquetErrorKind::Unsupported => of(ErrorKind::Unsupported).at(place),
            ParquetErrorKind::Time => of(ErrorKind::Type).at(place),
            ParquetErrorKind::Text => of(ErrorKind::Encoding).at(place),
        }
    }
}
