//! Columns that fill up to a row group, and the file they are written to.

use crate::columns::Type;
use crate::error::{AdapterError, ErrorKind};
use crate::out::Out;
use crate::tables::parquet::write::Plan;
use deed_canon::Invariant;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type as Schema;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// A row group is full at so many rows or bytes.
const MOST_ROWS: usize = 64 * 1024;
const MOST_BYTES: usize = 64 << 20;

/// Bytes that the writer of the file made and that are not written to the output yet. The writer wants something it
/// can send to another thread, which an output need not be.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Vec<u8> {
        // A panic of the writer has ended the adapter before, so no bytes are lost here.
        std::mem::take(&mut *self.0.lock().invariant("the writer did not panic"))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().map_err(|_| io::Error::other("the writer panicked"))?.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Values {
    Boolean(Vec<bool>),
    Integer(Vec<i64>),
    Double(Vec<f64>),
    Date(Vec<i32>),
    Text(Vec<ByteArray>),
}

struct Held {
    values: Values,
    /// For each row, whether there is a value.
    levels: Vec<i16>,
}

/// The columns of the row group that is being filled.
pub(crate) struct Columns {
    held: Vec<Held>,
    rows: usize,
    bytes: usize,
    writer: SerializedFileWriter<Shared>,
    shared: Shared,
}

impl Columns {
    pub(crate) fn new(plans: &[Plan]) -> Result<Self, AdapterError> {
        let fields =
            plans.iter().map(|plan| field(plan).map(Arc::new)).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let schema = Schema::group_type_builder("row").with_fields(fields).build().map_err(refused)?;
        let properties = WriterProperties::builder()
            .set_created_by("deed-adapters".to_owned())
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build();
        let shared = Shared::default();
        let writer =
            SerializedFileWriter::new(shared.clone(), Arc::new(schema), Arc::new(properties)).map_err(refused)?;
        let held = plans.iter().map(|plan| Held { values: values(plan.of), levels: Vec::new() }).collect();
        Ok(Self { held, rows: 0, bytes: 0, writer, shared })
    }

    /// Adds a value to a column by its type, or the level of null.
    fn add(&mut self, at: usize, level: i16, bytes: usize, put: impl FnOnce(&mut Values)) {
        self.bytes += bytes + 2;
        if let Some(held) = self.held.get_mut(at) {
            held.levels.push(level);
            put(&mut held.values);
        }
    }

    pub(crate) fn null(&mut self, at: usize) {
        self.add(at, 0, 0, |_| {});
    }

    pub(crate) fn boolean(&mut self, at: usize, value: bool) {
        self.add(at, 1, 1, |values| {
            if let Values::Boolean(list) = values {
                list.push(value)
            }
        });
    }

    pub(crate) fn integer(&mut self, at: usize, value: i64) {
        self.add(at, 1, 8, |values| {
            if let Values::Integer(list) = values {
                list.push(value)
            }
        });
    }

    pub(crate) fn double(&mut self, at: usize, value: f64) {
        self.add(at, 1, 8, |values| {
            if let Values::Double(list) = values {
                list.push(value)
            }
        });
    }

    pub(crate) fn date(&mut self, at: usize, value: i32) {
        self.add(at, 1, 4, |values| {
            if let Values::Date(list) = values {
                list.push(value)
            }
        });
    }

    pub(crate) fn text(&mut self, at: usize, value: String) {
        self.add(at, 1, value.len() + 40, |values| {
            if let Values::Text(list) = values {
                list.push(ByteArray::from(value.into_bytes()));
            }
        });
    }

    /// Ends a row, and writes the row group where it is full.
    pub(crate) fn end_row(&mut self, out: &mut Out<'_>) -> Result<(), AdapterError> {
        self.rows += 1;
        if self.rows >= MOST_ROWS || self.bytes >= MOST_BYTES { self.flush(out) } else { Ok(()) }
    }

    fn flush(&mut self, out: &mut Out<'_>) -> Result<(), AdapterError> {
        let mut group = self.writer.next_row_group().map_err(refused)?;
        for held in &mut self.held {
            let Some(column) = group.next_column().map_err(refused)? else { break };
            write(column, held).map_err(refused)?;
            held.levels.clear();
        }
        group.close().map_err(refused)?;
        (self.rows, self.bytes) = (0, 0);
        drain(&self.shared, out)
    }

    /// Writes what is left and the footer.
    pub(crate) fn finish(mut self, out: &mut Out<'_>) -> Result<(), AdapterError> {
        if self.rows > 0 {
            self.flush(out)?;
        }
        self.writer.close().map_err(refused)?;
        drain(&self.shared, out)
    }
}

fn drain(shared: &Shared, out: &mut Out<'_>) -> Result<(), AdapterError> {
    out.buffer.extend_from_slice(&shared.take());
    out.spill()
}

fn write(mut column: SerializedColumnWriter<'_>, held: &mut Held) -> Result<(), ParquetError> {
    // Levels of a required column are not looked at.
    let levels = Some(held.levels.as_slice());
    match &mut held.values {
        Values::Boolean(list) => {
            column.typed::<BoolType>().write_batch(list, levels, None)?;
            list.clear();
        }
        Values::Integer(list) => {
            column.typed::<Int64Type>().write_batch(list, levels, None)?;
            list.clear();
        }
        Values::Double(list) => {
            column.typed::<DoubleType>().write_batch(list, levels, None)?;
            list.clear();
        }
        Values::Date(list) => {
            column.typed::<Int32Type>().write_batch(list, levels, None)?;
            list.clear();
        }
        Values::Text(list) => {
            column.typed::<ByteArrayType>().write_batch(list, levels, None)?;
            list.clear();
        }
    }
    column.close()
}

fn values(of: Type) -> Values {
    match of {
        Type::Boolean => Values::Boolean(Vec::new()),
        Type::Integer => Values::Integer(Vec::new()),
        Type::Number => Values::Double(Vec::new()),
        Type::Date => Values::Date(Vec::new()),
        // A column that never has a value is one of text.
        Type::Text | Type::Null | Type::Any => Values::Text(Vec::new()),
    }
}

fn field(plan: &Plan) -> Result<Schema, ParquetError> {
    let (physical, logical) = match plan.of {
        Type::Boolean => (Physical::BOOLEAN, None),
        Type::Integer => (Physical::INT64, None),
        Type::Number => (Physical::DOUBLE, None),
        Type::Date => (Physical::INT32, Some(LogicalType::Date)),
        Type::Text | Type::Null | Type::Any => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Schema::primitive_type_builder(&plan.name, physical)
        .with_logical_type(logical)
        .with_repetition(if plan.required { Repetition::REQUIRED } else { Repetition::OPTIONAL })
        .build()
}

fn refused(error: ParquetError) -> AdapterError {
    let what = match error {
        ParquetError::General(_) => "its writer refused the columns",
        _ => "its writer stopped",
    };
    AdapterError::new(ErrorKind::Write, format!("the Parquet file cannot be written: {what}"))
}
