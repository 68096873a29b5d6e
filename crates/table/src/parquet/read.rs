//! Reads the rows of a file and hands them to a visitor, cell by cell.

use super::batch::Batch;
use super::error::{ParquetError, ParquetErrorKind};
use super::shape::{self, Cell, NumberForm, Shape, Unfit};
use super::source::Source;
use crate::input::Input;
use deed_canon::invariant;
use parquet::column::page::PageReader;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescPtr;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Rows that are decoded together.
const BATCH: usize = 1024;

/// Bounds of what is read and held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParquetLimits {
    /// Bytes of the input.
    pub input_bytes: u64,
    /// Bytes held at once: the footer, or the compressed chunks of one row group.
    pub held_bytes: usize,
    /// Rows of the file.
    pub rows: u64,
    /// Columns of the file.
    pub columns: usize,
}

/// A column of a file.
#[derive(Debug)]
pub struct ParquetColumn {
    name: String,
    shape: Shape,
    descriptor: ColumnDescPtr,
}

impl ParquetColumn {
    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True where the values are numbers.
    pub fn is_numeric(&self) -> bool {
        matches!(self.shape, Shape::Signed | Shape::Unsigned | Shape::Float | Shape::Decimal { .. })
    }

    /// True where the values are bytes that the file does not declare as text.
    pub fn is_bytes(&self) -> bool {
        self.shape == Shape::Bytes
    }
}

/// The receiver of a file's rows.
pub trait RowVisitor {
    /// The error with which the visitor stops.
    type Error: From<ParquetError>;

    /// Receives the columns before any row, and returns the form in which each wants its numbers.
    ///
    /// # Errors
    ///
    /// When the visitor does not accept the columns.
    fn columns(&mut self, columns: &[ParquetColumn]) -> Result<Vec<NumberForm>, Self::Error>;

    /// Receives a cell. Cells come in the order of the columns, row by row.
    ///
    /// # Errors
    ///
    /// When the visitor does not accept the cell.
    fn cell(&mut self, column: usize, cell: Cell<'_>) -> Result<(), Self::Error>;

    /// Receives the end of a row.
    ///
    /// # Errors
    ///
    /// When the visitor does not accept the row.
    fn end_row(&mut self) -> Result<(), Self::Error>;
}

/// Reads all rows of a file.
///
/// # Errors
///
/// When the file is damaged, beyond the limits, or has columns or values that are not read; and when the visitor stops.
/// Damaged files have made the decoder of pages panic: that is an error here, and not a panic.
pub fn read_rows<V: RowVisitor>(
    input: &mut dyn Input,
    limits: &ParquetLimits,
    visitor: &mut V,
) -> Result<(), V::Error> {
    catch_unwind(AssertUnwindSafe(|| read(input, limits, visitor)))
        .unwrap_or_else(|_| Err(ParquetError::damaged("the file is damaged in a way that stopped its decoder").into()))
}

fn read<V: RowVisitor>(input: &mut dyn Input, limits: &ParquetLimits, visitor: &mut V) -> Result<(), V::Error> {
    let mut source = Source::open(input, limits)?;
    let metadata = source.metadata()?;
    let columns = columns(&metadata, limits)?;
    let forms = visitor.columns(&columns)?;
    // A column without a form would be left out of every row.
    invariant!(forms.len() == columns.len(), "a visitor returns a form for each column");
    let mut rows: u64 = 0;
    for group in metadata.row_groups() {
        rows = rows.saturating_add(rows_of(group)?);
    }
    if rows > limits.rows {
        return Err(ParquetError::limit(format_args!("{} rows", limits.rows)).into());
    }
    let mut reader = GroupReader { source, columns: &columns, forms: &forms, limits, scratch: Vec::new(), row: 0 };
    for group in metadata.row_groups() {
        reader.read(group, visitor)?;
    }
    Ok(())
}

fn rows_of(group: &RowGroupMetaData) -> Result<u64, ParquetError> {
    u64::try_from(group.num_rows()).map_err(|_| ParquetError::damaged("a row group with less than no rows"))
}

fn columns(metadata: &ParquetMetaData, limits: &ParquetLimits) -> Result<Vec<ParquetColumn>, ParquetError> {
    let schema = metadata.file_metadata().schema_descr();
    if schema.num_columns() > limits.columns {
        return Err(ParquetError::limit(format_args!("{} columns", limits.columns)));
    }
    let columns: Vec<ParquetColumn> = schema.columns().iter().map(column).collect::<Result<_, _>>()?;
    let mut names = HashSet::new();
    match columns.iter().find(|column| !names.insert(column.name.as_str())) {
        Some(twice) => {
            Err(ParquetError::new(ParquetErrorKind::DuplicateColumn, "two columns have one name")
                .in_column(&twice.name))
        }
        None => Ok(columns),
    }
}

fn column(descriptor: &ColumnDescPtr) -> Result<ParquetColumn, ParquetError> {
    let Some(name) = descriptor.path().parts().first().cloned() else {
        return Err(ParquetError::damaged("a column without a name"));
    };
    let flat = descriptor.path().parts().len() == 1 && descriptor.max_rep_level() == 0;
    if !flat || descriptor.max_def_level() > 1 {
        let message = "a column with parts of its own (a list, map or group)";
        return Err(ParquetError::new(ParquetErrorKind::Nested, message).in_column(&name));
    }
    let Some(shape) = shape::shape(descriptor) else {
        let message = "a column of an unsupported type";
        return Err(ParquetError::new(ParquetErrorKind::Unsupported, message).in_column(&name));
    };
    Ok(ParquetColumn { name, shape, descriptor: descriptor.clone() })
}

/// The reader of one row group after the other.
struct GroupReader<'r> {
    source: Source<'r>,
    columns: &'r [ParquetColumn],
    forms: &'r [NumberForm],
    limits: &'r ParquetLimits,
    scratch: Vec<u8>,
    /// The number of the last row.
    row: u64,
}

impl GroupReader<'_> {
    fn read<V: RowVisitor>(&mut self, group: &RowGroupMetaData, visitor: &mut V) -> Result<(), V::Error> {
        let rows =
            usize::try_from(rows_of(group)?).map_err(|_| ParquetError::damaged("a row group with too many rows"))?;
        let mut batches = self.batches(group, rows)?;
        let mut done = 0;
        while done < rows {
            let wanted = BATCH.min(rows - done);
            for (batch, column) in batches.iter_mut().zip(self.columns) {
                batch.fill(wanted).ok_or_else(|| undecoded(&column.name))?;
            }
            for at in 0..wanted {
                self.row += 1;
                self.visit(&mut batches, at, visitor)?;
            }
            done += wanted;
        }
        Ok(())
    }

    fn batches(&mut self, group: &RowGroupMetaData, rows: usize) -> Result<Vec<Batch>, ParquetError> {
        if group.columns().len() != self.columns.len() {
            return Err(ParquetError::damaged("a row group without all columns"));
        }
        let mut held: u64 = 0;
        let mut batches = Vec::with_capacity(self.columns.len());
        for (chunk, column) in group.columns().iter().zip(self.columns) {
            held = held.saturating_add(u64::try_from(chunk.compressed_size()).unwrap_or(u64::MAX));
            if held > self.limits.held_bytes as u64 {
                return Err(ParquetError::limit(format_args!("{} bytes in a row group", self.limits.held_bytes)));
            }
            let bytes = Arc::new(self.source.chunk(chunk)?);
            let pages = SerializedPageReader::new(bytes, chunk, rows, None).map_err(|_| undecoded(&column.name))?;
            let pages: Box<dyn PageReader> = Box::new(pages);
            batches.push(Batch::new(column.descriptor.clone(), pages));
        }
        Ok(batches)
    }

    fn visit<V: RowVisitor>(&mut self, batches: &mut [Batch], at: usize, visitor: &mut V) -> Result<(), V::Error> {
        for (index, ((batch, column), form)) in batches.iter_mut().zip(self.columns).zip(self.forms).enumerate() {
            let cell = if batch.is_null(at) {
                Cell::Null
            } else {
                batch
                    .next_cell(&mut self.scratch, column.shape, *form)
                    .map_err(|unfit| refusal(unfit).in_row(self.row).in_column(&column.name))?
            };
            visitor.cell(index, cell)?;
        }
        visitor.end_row()
    }
}

fn undecoded(column: &str) -> ParquetError {
    ParquetError::damaged("the values of a column cannot be decoded").in_column(column)
}

fn refusal(unfit: Unfit) -> ParquetError {
    match unfit {
        Unfit::Number => ParquetError::new(ParquetErrorKind::Number, "a number that not every reader reads alike"),
        Unfit::Time => ParquetError::new(ParquetErrorKind::Time, "a date or time that text cannot represent"),
        Unfit::Text => ParquetError::new(ParquetErrorKind::Text, "bytes that are not UTF-8"),
        Unfit::Missing => ParquetError::damaged("a column has fewer values than rows"),
    }
}
