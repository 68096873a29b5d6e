//! Decoded values of one column, some rows at a time.

use crate::tables::parquet::shape::{self, As, Shape, Unfit};
use parquet::column::page::PageReader;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::schema::types::ColumnDescPtr;

/// Values that are there, without the nulls between them.
enum Values {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Int96(Vec<Int96>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>),
}

/// The rows of a column that are being written.
pub(crate) struct Batch {
    reader: ColumnReader,
    values: Values,
    levels: Vec<i16>,
    optional: bool,
    /// The next value to write.
    next: usize,
}

impl Batch {
    pub(crate) fn new(descriptor: ColumnDescPtr, pages: Box<dyn PageReader>) -> Self {
        let optional = descriptor.max_def_level() > 0;
        let reader = get_column_reader(descriptor, pages);
        let values = match &reader {
            ColumnReader::BoolColumnReader(_) => Values::Bool(Vec::new()),
            ColumnReader::Int32ColumnReader(_) => Values::Int32(Vec::new()),
            ColumnReader::Int64ColumnReader(_) => Values::Int64(Vec::new()),
            ColumnReader::Int96ColumnReader(_) => Values::Int96(Vec::new()),
            ColumnReader::FloatColumnReader(_) => Values::Float(Vec::new()),
            ColumnReader::DoubleColumnReader(_) => Values::Double(Vec::new()),
            ColumnReader::ByteArrayColumnReader(_) => Values::Bytes(Vec::new()),
            ColumnReader::FixedLenByteArrayColumnReader(_) => Values::Fixed(Vec::new()),
        };
        Self { reader, values, levels: Vec::new(), optional, next: 0 }
    }

    /// Decodes exactly so many rows; nothing where that cannot be done.
    pub(crate) fn fill(&mut self, rows: usize) -> Option<()> {
        self.next = 0;
        self.levels.clear();
        macro_rules! fill {
            ($reader:expr, $values:expr) => {{
                $values.clear();
                let (records, values, _) = $reader.read_records(rows, Some(&mut self.levels), None, $values).ok()?;
                (records, values, $values.len())
            }};
        }
        let (records, values, there) = match (&mut self.reader, &mut self.values) {
            (ColumnReader::BoolColumnReader(reader), Values::Bool(values)) => fill!(reader, values),
            (ColumnReader::Int32ColumnReader(reader), Values::Int32(values)) => fill!(reader, values),
            (ColumnReader::Int64ColumnReader(reader), Values::Int64(values)) => fill!(reader, values),
            (ColumnReader::Int96ColumnReader(reader), Values::Int96(values)) => fill!(reader, values),
            (ColumnReader::FloatColumnReader(reader), Values::Float(values)) => fill!(reader, values),
            (ColumnReader::DoubleColumnReader(reader), Values::Double(values)) => fill!(reader, values),
            (ColumnReader::ByteArrayColumnReader(reader), Values::Bytes(values)) => fill!(reader, values),
            (ColumnReader::FixedLenByteArrayColumnReader(reader), Values::Fixed(values)) => fill!(reader, values),
            _ => return None,
        };
        let levels_fit = !self.optional || self.levels.len() == rows;
        (records == rows && values == there && levels_fit).then_some(())
    }

    #[inline]
    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.optional && self.levels.get(row).is_none_or(|level| *level == 0)
    }

    /// Puts the next value that is there.
    #[inline]
    pub(crate) fn put(&mut self, out: &mut Vec<u8>, shape: Shape, as_: As) -> Result<(), Unfit> {
        let at = self.next;
        self.next += 1;
        match &self.values {
            Values::Bool(values) => {
                let value = values.get(at).ok_or(Unfit::Number)?;
                out.extend_from_slice(if *value { b"true" } else { b"false" });
                Ok(())
            }
            Values::Int32(values) => {
                let value = *values.get(at).ok_or(Unfit::Number)?;
                let wide = if shape == Shape::Unsigned { i64::from(value.cast_unsigned()) } else { i64::from(value) };
                shape::put_integer(out, wide, shape, as_)
            }
            Values::Int64(values) => shape::put_integer(out, *values.get(at).ok_or(Unfit::Number)?, shape, as_),
            Values::Int96(values) => shape::put_int96(out, values.get(at).ok_or(Unfit::Time)?.data()),
            Values::Float(values) => {
                let value = *values.get(at).ok_or(Unfit::Number)?;
                shape::put_double(out, f64::from(value), Some(value), as_)
            }
            Values::Double(values) => shape::put_double(out, *values.get(at).ok_or(Unfit::Number)?, None, as_),
            Values::Bytes(values) => shape::put_bytes(out, values.get(at).ok_or(Unfit::Text)?.data(), shape, as_),
            Values::Fixed(values) => shape::put_bytes(out, values.get(at).ok_or(Unfit::Text)?.data(), shape, as_),
        }
    }
}
