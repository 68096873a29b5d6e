//! What the values of a Parquet column mean, and how they stand in JSON.

use crate::date;
use crate::decimal::Decimal;
use crate::number::{self, Form};
use crate::rows::put_string;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;

/// How the values of a column are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    Boolean,
    Signed,
    Unsigned,
    Float,
    Text,
    /// Bytes of which the file does not say what they are.
    Bytes,
    Date,
    /// Digits of a second, and whether it is in UTC.
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

/// The shape of a column, or nothing where it is of a sort that is not read.
pub(crate) fn shape(column: &ColumnDescriptor) -> Option<Shape> {
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

/// The older way of saying what values mean: nothing where it is of a sort that is not read.
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

/// Why a value has no place in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// A number that not every reader reads alike.
    Number,
    /// A time beyond the years of four digits, or a time of day beyond a day.
    Time,
    /// Bytes that are not UTF-8.
    Text,
}

/// Whether a number is written as a number or, since its column is text, in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum As {
    Number,
    Text,
}

/// Puts a whole number by its shape.
#[inline]
pub(crate) fn put_integer(out: &mut Vec<u8>, value: i64, shape: Shape, as_: As) -> Result<(), Unfit> {
    match shape {
        Shape::Date => put_ascii(out, &date::text(value).ok_or(Unfit::Time)?),
        Shape::Instant { digits, utc } => {
            let unit = 10_i64.pow(digits.min(9));
            let nanos = value.rem_euclid(unit) * 10_i64.pow(9 - digits.min(9));
            put_instant(out, value.div_euclid(unit), nanos, digits, utc)?;
        }
        Shape::Time { digits } => {
            let unit = 10_i64.pow(digits.min(9));
            if !(0..86_400 * unit).contains(&value) {
                return Err(Unfit::Time);
            }
            let nanos = u32::try_from(value % unit * 10_i64.pow(9 - digits.min(9))).unwrap_or(0);
            put_ascii(out, &date::clock(value / unit, nanos, digits as usize));
        }
        Shape::Decimal { scale } => put_decimal(out, i128::from(value), scale, as_)?,
        Shape::Unsigned if value < 0 => put_literal(out, &value.cast_unsigned().to_string(), Form::Integer, as_)?,
        _ if (-number::MAX_SAFE..=number::MAX_SAFE).contains(&value) && as_ == As::Number => {
            out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        }
        _ => put_literal(out, itoa::Buffer::new().format(value), Form::Integer, as_)?,
    }
    Ok(())
}

fn put_instant(out: &mut Vec<u8>, seconds: i64, nanos: i64, digits: u32, utc: bool) -> Result<(), Unfit> {
    let nanos = u32::try_from(nanos).map_err(|_| Unfit::Time)?;
    put_ascii(out, &date::instant(seconds, nanos, digits as usize, utc).ok_or(Unfit::Time)?);
    Ok(())
}

/// Puts the old form of instants: nanoseconds of a day, and the day of the Julian calendar count.
pub(crate) fn put_int96(out: &mut Vec<u8>, parts: &[u32]) -> Result<(), Unfit> {
    let [low, high, day] = parts else { return Err(Unfit::Time) };
    let nanos = (i64::from(*high) << 32) | i64::from(*low);
    let seconds = (i64::from(*day) - 2_440_588) * 86_400 + nanos.div_euclid(1_000_000_000);
    put_instant(out, seconds, nanos.rem_euclid(1_000_000_000), 9, false)
}

/// Puts a double, or a float by its own shortest digits.
pub(crate) fn put_double(out: &mut Vec<u8>, value: f64, shortest: Option<f32>, as_: As) -> Result<(), Unfit> {
    // The shortest digits of a float name a double that is nearer to what was meant.
    let value = shortest.map_or(value, |float| float.to_string().parse().unwrap_or(value));
    let number = deed_canon::number_from_f64(value).map_err(|_| Unfit::Number)?;
    if as_ == As::Text {
        put_ascii(out, &number.to_string());
    } else if let Some(whole) = number.as_i64() {
        out.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes());
    } else {
        serde_json::to_writer(&mut *out, &value).map_err(|_| Unfit::Number)?;
    }
    Ok(())
}

/// Puts bytes by their shape.
#[inline]
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8], shape: Shape, as_: As) -> Result<(), Unfit> {
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
            put_decimal(out, units, scale, as_)
        }
        Shape::Uuid => {
            let mut text = String::with_capacity(36);
            for (i, byte) in bytes.iter().enumerate() {
                text.push_str(if matches!(i, 4 | 6 | 8 | 10) { "-" } else { "" });
                text.push_str(&format!("{byte:02x}"));
            }
            put_ascii(out, &text);
            Ok(())
        }
        _ => {
            put_string(out, std::str::from_utf8(bytes).map_err(|_| Unfit::Text)?);
            Ok(())
        }
    }
}

fn put_decimal(out: &mut Vec<u8>, units: i128, scale: u32, as_: As) -> Result<(), Unfit> {
    let text = Decimal::new(units, scale).ok_or(Unfit::Number)?.text();
    let form = number::form(text.as_bytes()).ok_or(Unfit::Number)?;
    put_literal(out, &text, form, as_)
}

fn put_literal(out: &mut Vec<u8>, literal: &str, form: Form, as_: As) -> Result<(), Unfit> {
    match as_ {
        As::Text => put_ascii(out, literal),
        As::Number if number::is_safe(literal, form) => out.extend_from_slice(literal.as_bytes()),
        As::Number => return Err(Unfit::Number),
    }
    Ok(())
}

/// Text of our own, which needs no escapes.
fn put_ascii(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}
