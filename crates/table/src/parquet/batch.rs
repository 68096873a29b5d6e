//! Decoded values of one column, some rows at a time.

use super::shape::{self, Cell, NumberForm, Shape, Unfit};
use parquet::column::page::PageReader;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::schema::types::ColumnDescPtr;

/// The values that are not null.
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

/// The decoded rows of a column.
pub(super) struct Batch {
    reader: ColumnReader,
    values: Values,
    levels: Vec<i16>,
    optional: bool,
    /// The index of the next value.
    next: usize,
}

impl Batch {
    pub(super) fn new(descriptor: ColumnDescPtr, pages: Box<dyn PageReader>) -> Self {
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

    /// Decodes exactly `rows` rows; none where that fails.
    pub(super) fn fill(&mut self, rows: usize) -> Option<()> {
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

    /// True where the row has no value.
    #[inline]
    pub(super) fn is_null(&self, row: usize) -> bool {
        self.optional && self.levels.get(row).is_none_or(|level| *level == 0)
    }

    /// The next value that is not null, written into `scratch` where it is not text of the file.
    #[inline]
    pub(super) fn next_cell<'c>(
        &'c mut self,
        scratch: &'c mut Vec<u8>,
        shape: Shape,
        form: NumberForm,
    ) -> Result<Cell<'c>, Unfit> {
        let at = self.next;
        self.next += 1;
        scratch.clear();
        match &self.values {
            Values::Bool(values) => Ok(Cell::Boolean(*get(values, at)?)),
            Values::Int32(values) => {
                let value = *get(values, at)?;
                let wide = if shape == Shape::Unsigned { i64::from(value.cast_unsigned()) } else { i64::from(value) };
                shape::integer(scratch, wide, shape, form)
            }
            Values::Int64(values) => shape::integer(scratch, *get(values, at)?, shape, form),
            Values::Int96(values) => shape::int96(scratch, get(values, at)?.data()),
            Values::Float(values) => {
                let value = *get(values, at)?;
                shape::double(scratch, f64::from(value), Some(value), form)
            }
            Values::Double(values) => shape::double(scratch, *get(values, at)?, None, form),
            Values::Bytes(values) => shape::bytes(scratch, get(values, at)?.data(), shape, form),
            Values::Fixed(values) => shape::bytes(scratch, get(values, at)?.data(), shape, form),
        }
    }
}

fn get<T>(values: &[T], at: usize) -> Result<&T, Unfit> {
    values.get(at).ok_or(Unfit::Missing)
}
