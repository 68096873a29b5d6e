//! The meaning of a Parquet column, and its values as cells.

use crate::date;
use crate::decimal::Decimal;
use crate::number::{self, Form};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;

/// The meaning of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Boolean,
    Signed,
    Unsigned,
    Float,
    Text,
    /// Bytes without an annotation.
    Bytes,
    Date,
    /// An instant with digits of a second, in UTC or local.
    Instant {
        digits: u32,
        utc: bool,
    },
    Time {
        digits: u32,
    },
    Int96,
    Decimal {
        scale: u32,
    },
    Uuid,
}

/// The shape of a column; none where its type is not read.
pub(super) fn shape(column: &ColumnDescriptor) -> Option<Shape> {
    let by_logic = match column.logical_type_ref() {
        None => converted(column)?,
        Some(logical) => Some(match logical {
            LogicalType::String | LogicalType::Enum | LogicalType::Json => Shape::Text,
            LogicalType::Decimal(decimal) => Shape::Decimal { scale: u32::try_from(decimal.scale).ok()? },
            LogicalType::Date => Shape::Date,
            LogicalType::Time(time) => Shape::Time { digits: digits(&time.unit) },
            LogicalType::Timestamp(stamp) => {
                Shape::Instant { digits: digits(&stamp.unit), utc: stamp.is_adjusted_to_u_t_c }
            }
            LogicalType::Integer(integer) if integer.is_signed => Shape::Signed,
            LogicalType::Integer(_) => Shape::Unsigned,
            LogicalType::Uuid => Shape::Uuid,
            LogicalType::Unknown => return plain(column.physical_type()),
            _ => return None,
        }),
    };
    let Some(shape) = by_logic else { return plain(column.physical_type()) };
    let physical = column.physical_type();
    let fits = match shape {
        Shape::Text => physical == Physical::BYTE_ARRAY,
        Shape::Date => physical == Physical::INT32,
        Shape::Signed | Shape::Unsigned => matches!(physical, Physical::INT32 | Physical::INT64),
        Shape::Instant { .. } => physical == Physical::INT64,
        Shape::Time { digits } => physical == if digits == 3 { Physical::INT32 } else { Physical::INT64 },
        Shape::Decimal { .. } => {
            !matches!(physical, Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE | Physical::INT96)
        }
        Shape::Uuid => physical == Physical::FIXED_LEN_BYTE_ARRAY,
        Shape::Boolean | Shape::Float | Shape::Bytes | Shape::Int96 => true,
    };
    fits.then_some(shape)
}

/// The shape by the older annotations: `None` if the type is not supported, `Some(None)` without an annotation.
fn converted(column: &ColumnDescriptor) -> Option<Option<Shape>> {
    Some(Some(match column.converted_type() {
        ConvertedType::NONE => return Some(None),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Shape::Text,
        ConvertedType::DECIMAL => Shape::Decimal { scale: u32::try_from(column.type_scale()).ok()? },
        ConvertedType::DATE => Shape::Date,
        ConvertedType::TIME_MILLIS => Shape::Time { digits: 3 },
        ConvertedType::TIME_MICROS => Shape::Time { digits: 6 },
        ConvertedType::TIMESTAMP_MILLIS => Shape::Instant { digits: 3, utc: true },
        ConvertedType::TIMESTAMP_MICROS => Shape::Instant { digits: 6, utc: true },
        ConvertedType::INT_8 | ConvertedType::INT_16 | ConvertedType::INT_32 | ConvertedType::INT_64 => Shape::Signed,
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
            Shape::Unsigned
        }
        _ => return None,
    }))
}

fn plain(physical: Physical) -> Option<Shape> {
    Some(match physical {
        Physical::BOOLEAN => Shape::Boolean,
        Physical::INT32 | Physical::INT64 => Shape::Signed,
        Physical::INT96 => Shape::Int96,
        Physical::FLOAT | Physical::DOUBLE => Shape::Float,
        Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY => Shape::Bytes,
    })
}

fn digits(unit: &TimeUnit) -> u32 {
    match unit {
        TimeUnit::MILLIS => 3,
        TimeUnit::MICROS => 6,
        TimeUnit::NANOS => 9,
    }
}

/// A value of a row, as JSON would have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'c> {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// The literal of a number.
    Number(&'c str),
    /// Text of ASCII that needs no escapes in JSON: a date, a time, a UUID, or a number in text form.
    Plain(&'c str),
    /// Any text.
    Text(&'c str),
}

/// The form in which a column wants its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberForm {
    /// As numbers, which every reader has to read alike.
    Number,
    /// As text, of any length.
    Text,
}

/// The reason for which a value cannot be a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// A number that not every reader reads alike.
    Number,
    /// A time beyond the years of four digits, or a time of day beyond a day.
    Time,
    /// Bytes that are not UTF-8.
    Text,
    /// The column has no such value.
    Missing,
}

/// The cell of an integer.
#[inline]
pub(super) fn integer(scratch: &mut Vec<u8>, value: i64, shape: Shape, form: NumberForm) -> Result<Cell<'_>, Unfit> {
    match shape {
        Shape::Date => plain_text(scratch, &date::text(value).ok_or(Unfit::Time)?),
        Shape::Instant { digits, utc } => {
            let unit = 10_i64.pow(digits.min(9));
            let nanos = value.rem_euclid(unit) * 10_i64.pow(9 - digits.min(9));
            instant(scratch, value.div_euclid(unit), nanos, digits, utc)
        }
        Shape::Time { digits } => {
            let unit = 10_i64.pow(digits.min(9));
            if !(0..86_400 * unit).contains(&value) {
                return Err(Unfit::Time);
            }
            let nanos = u32::try_from(value % unit * 10_i64.pow(9 - digits.min(9))).map_err(|_| Unfit::Time)?;
            plain_text(scratch, &date::clock(value / unit, nanos, digits as usize))
        }
        Shape::Decimal { scale } => decimal(scratch, i128::from(value), scale, form),
        Shape::Unsigned if value < 0 => literal(scratch, &value.cast_unsigned().to_string(), Form::Integer, form),
        _ => literal(scratch, itoa::Buffer::new().format(value), Form::Integer, form),
    }
}

fn instant(scratch: &mut Vec<u8>, seconds: i64, nanos: i64, digits: u32, utc: bool) -> Result<Cell<'_>, Unfit> {
    let nanos = u32::try_from(nanos).map_err(|_| Unfit::Time)?;
    plain_text(scratch, &date::instant(seconds, nanos, digits as usize, utc).ok_or(Unfit::Time)?)
}

/// The cell of an instant in its old form: the nanoseconds of a day, and the Julian day number.
pub(super) fn int96<'s>(scratch: &'s mut Vec<u8>, parts: &[u32]) -> Result<Cell<'s>, Unfit> {
    let [low, high, day] = parts else { return Err(Unfit::Time) };
    let nanos = (i64::from(*high) << 32) | i64::from(*low);
    let seconds = (i64::from(*day) - 2_440_588) * 86_400 + nanos.div_euclid(1_000_000_000);
    instant(scratch, seconds, nanos.rem_euclid(1_000_000_000), 9, false)
}

/// The cell of a double, or of a float by its own shortest digits.
pub(super) fn double(
    scratch: &mut Vec<u8>,
    value: f64,
    shortest: Option<f32>,
    form: NumberForm,
) -> Result<Cell<'_>, Unfit> {
    // The shortest digits of a float name a double that is nearer to what was meant.
    let value = match shortest {
        Some(float) => float.to_string().parse().map_err(|_| Unfit::Number)?,
        None => value,
    };
    let number = deed_canon::number_from_f64(value).map_err(|_| Unfit::Number)?;
    if form == NumberForm::Text {
        return plain_text(scratch, &number.to_string());
    }
    match number.as_i64() {
        Some(whole) => scratch.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes()),
        None => serde_json::to_writer(&mut *scratch, &value).map_err(|_| Unfit::Number)?,
    }
    ascii(scratch).map(Cell::Number)
}

/// The cell of bytes.
#[inline]
pub(super) fn bytes<'s>(
    scratch: &'s mut Vec<u8>,
    bytes: &'s [u8],
    shape: Shape,
    form: NumberForm,
) -> Result<Cell<'s>, Unfit> {
    match shape {
        Shape::Decimal { scale } => {
            // Big-endian and signed; more than sixteen bytes are beyond 38 digits.
            let negative = bytes.first().is_some_and(|byte| *byte >= 0x80);
            let mut units: i128 = if negative { -1 } else { 0 };
            if bytes.len() > 16 {
                return Err(Unfit::Number);
            }
            for byte in bytes {
                units = (units << 8) | i128::from(*byte);
            }
            decimal(scratch, units, scale, form)
        }
        Shape::Uuid => {
            let mut text = String::with_capacity(36);
            for (i, byte) in bytes.iter().enumerate() {
                text.push_str(if matches!(i, 4 | 6 | 8 | 10) { "-" } else { "" });
                text.push_str(&format!("{byte:02x}"));
            }
            plain_text(scratch, &text)
        }
        _ => std::str::from_utf8(bytes).map(Cell::Text).map_err(|_| Unfit::Text),
    }
}

fn decimal(scratch: &mut Vec<u8>, units: i128, scale: u32, form: NumberForm) -> Result<Cell<'_>, Unfit> {
    let text = Decimal::new(units, scale).ok_or(Unfit::Number)?.text();
    let written = number::form(text.as_bytes()).ok_or(Unfit::Number)?;
    literal(scratch, &text, written, form)
}

fn literal<'s>(scratch: &'s mut Vec<u8>, text: &str, written: Form, form: NumberForm) -> Result<Cell<'s>, Unfit> {
    match form {
        NumberForm::Text => plain_text(scratch, text),
        NumberForm::Number if number::is_safe(text, written) => {
            scratch.extend_from_slice(text.as_bytes());
            ascii(scratch).map(Cell::Number)
        }
        NumberForm::Number => Err(Unfit::Number),
    }
}

fn plain_text<'s>(scratch: &'s mut Vec<u8>, text: &str) -> Result<Cell<'s>, Unfit> {
    scratch.extend_from_slice(text.as_bytes());
    ascii(scratch).map(Cell::Plain)
}

fn ascii(scratch: &[u8]) -> Result<&str, Unfit> {
    std::str::from_utf8(scratch).map_err(|_| Unfit::Text)
}
