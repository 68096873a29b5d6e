//! The type of a cell of text, by the classes of its bytes.
//!
//! The classes of the bytes leave few forms to try.
//! Nothing is guessed: numbers are those of JSON (so `007` and `+1` are text), days and times are those of RFC 3339
//! and exist in the calendar, and words for nothing, such as `NULL`, are text.

use crate::bytes::after;
use deed_diag::Invariant as _;
use deed_model::ValueType;

/// Classes of bytes, one bit each.
pub(crate) mod class {
    pub(crate) const DIGIT: u8 = 1;
    pub(crate) const LETTER: u8 = 2;
    pub(crate) const SIGN: u8 = 4;
    pub(crate) const POINT: u8 = 8;
    pub(crate) const COLON: u8 = 16;
    pub(crate) const OTHER: u8 = 32;
    /// Not ASCII.
    pub(crate) const HIGH: u8 = 64;
}
use class::{COLON, DIGIT, HIGH, LETTER, OTHER, POINT, SIGN};

/// The class of every byte.
pub(crate) const BYTE_CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::indexing_slicing, reason = "a constant, checked by the compiler")]
        {
            classes[byte] = match byte as u8 {
                b'0'..=b'9' => DIGIT,
                b'a'..=b'z' | b'A'..=b'Z' => LETTER,
                b'-' | b'+' => SIGN,
                b'.' => POINT,
                b':' => COLON,
                128..=255 => HIGH,
                _ => OTHER,
            };
        }
        byte += 1;
    }
    classes
};

/// The classes of all bytes of a text.
pub(crate) fn byte_classes(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |all, byte| all | BYTE_CLASSES.get(usize::from(*byte)).invariant("every byte has a class"))
}

/// A double as its bits: with integers only, a value is passed in two registers and not in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Double(i64);

impl Double {
    fn new(value: f64) -> Self {
        Self(value.to_bits().cast_signed())
    }

    pub(crate) fn get(self) -> f64 {
        f64::from_bits(self.0.cast_unsigned())
    }
}

/// A value, as far as values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Boolean,
    Integer(i64),
    /// A whole number beyond 18 digits.
    Wide(Double),
    Number(Double),
    Date,
    Timestamp,
    Text,
    Array,
    Object,
}

impl Value {
    pub(crate) fn value_type(self) -> ValueType {
        match self {
            Self::Null => ValueType::Null,
            Self::Boolean => ValueType::Boolean,
            Self::Integer(_) | Self::Wide(_) => ValueType::Integer,
            Self::Number(_) => ValueType::Number,
            Self::Date => ValueType::Date,
            Self::Timestamp => ValueType::Timestamp,
            Self::Text => ValueType::Text,
            Self::Array => ValueType::Array,
            Self::Object => ValueType::Object,
        }
    }
}

/// The value of a cell. An empty one is null.
#[inline]
pub(crate) fn of_cell(cell: &[u8], classes: u8) -> Value {
    match classes {
        0 => Value::Null,
        DIGIT => whole(cell),
        LETTER => word(cell),
        _ if classes & HIGH != 0 || classes & DIGIT == 0 => Value::Text,
        _ => of_mixed(cell, classes),
    }
}

/// The value of a JSON or YAML string, which is never a number.
pub(crate) fn of_text(text: &[u8], classes: u8) -> Value {
    match classes & (DIGIT | SIGN) {
        both if both == DIGIT | SIGN && classes & HIGH == 0 => moment(text).unwrap_or(Value::Text),
        _ => Value::Text,
    }
}

/// The value of a JSON number, whose form has been checked.
pub(crate) fn of_number(literal: &[u8]) -> Value {
    let classes = byte_classes(literal);
    if classes & (POINT | LETTER) == 0 { whole(literal) } else { real(literal) }
}

fn word(cell: &[u8]) -> Value {
    if cell.eq_ignore_ascii_case(b"true") || cell.eq_ignore_ascii_case(b"false") { Value::Boolean } else { Value::Text }
}

fn of_mixed(cell: &[u8], classes: u8) -> Value {
    if classes & !SIGN == DIGIT | POINT
        && let Some(value) = short_decimal(cell)
    {
        return Value::Number(Double::new(value));
    }
    if classes & COLON == 0 && classes & OTHER == 0 && is_number(cell) {
        return if classes & (POINT | LETTER) == 0 { whole(cell) } else { real(cell) };
    }
    if classes & SIGN != 0 { moment(cell).unwrap_or(Value::Text) } else { Value::Text }
}

/// An integer, or text if it has leading zeros.
#[inline]
fn whole(cell: &[u8]) -> Value {
    let (negative, digits) = match cell {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > 1 && digits.first() == Some(&b'0') || digits.is_empty() {
        return Value::Text;
    }
    if digits.len() > 18 {
        return Value::Wide(Double::new(parse(cell)));
    }
    let value = digits.iter().fold(0_i64, |value, digit| value * 10 + i64::from(digit & 15));
    Value::Integer(if negative { -value } else { value })
}

/// Returns whether a cell is a JSON number.
pub(crate) fn is_number(cell: &[u8]) -> bool {
    let cell = cell.strip_prefix(b"-").unwrap_or(cell);
    let (whole, rest) = cell.split_at(run(cell));
    if whole.is_empty() || whole.len() > 1 && whole.first() == Some(&b'0') {
        return false;
    }
    let rest = match rest.strip_prefix(b".") {
        Some(fraction) if run(fraction) > 0 => after(fraction, run(fraction)),
        Some(_) => return false,
        None => rest,
    };
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', power @ ..] | [b'e' | b'E', power @ ..] => {
            !power.is_empty() && run(power) == power.len()
        }
        _ => false,
    }
}

fn run(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Powers of ten that a double has exactly.
const TENS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

fn real(literal: &[u8]) -> Value {
    if let Some(value) = short_decimal(literal) {
        return Value::Number(Double::new(value));
    }
    Value::Number(Double::new(parse(literal)))
}

/// The nearest double of a decimal of at most 15 digits: both parts of the division are exact. `None` if it is longer, or
/// is not a JSON fraction.
#[inline]
fn short_decimal(literal: &[u8]) -> Option<f64> {
    if literal.len() > 16 {
        return None;
    }
    let (negative, digits) = match literal {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let (mut all, mut point) = (0_u64, None);
    for (at, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => all = all * 10 + u64::from(byte & 15),
            b'.' if point.is_none() => point = Some(at),
            _ => return None,
        }
    }
    let whole = point?;
    let fraction = digits.len() - whole - 1;
    if whole == 0 || fraction == 0 || whole > 1 && digits.first() == Some(&b'0') {
        return None;
    }
    let value = all as f64 / TENS.get(fraction)?;
    Some(if negative { -value } else { value })
}

/// The nearest double of a number whose form has been checked.
fn parse(number: &[u8]) -> f64 {
    let text = std::str::from_utf8(number).invariant("a number is ASCII");
    text.parse().invariant("a number of JSON is one of Rust")
}

/// A day, or a day and a time.
fn moment(cell: &[u8]) -> Option<Value> {
    let (day, rest) = cell.split_first_chunk::<10>()?;
    if !is_day(day) {
        return None;
    }
    match rest {
        [] => Some(Value::Date),
        [b'T' | b't' | b' ', time @ ..] => is_time(time).then_some(Value::Timestamp),
        _ => None,
    }
}

fn two(tens: u8, ones: u8) -> Option<u32> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| u32::from(tens & 15) * 10 + u32::from(ones & 15))
}

fn is_day([a, b, c, d, dash, m, n, dash2, x, y]: &[u8; 10]) -> bool {
    let (b'-', b'-') = (dash, dash2) else { return false };
    let (Some(century), Some(year), Some(month), Some(day)) = (two(*a, *b), two(*c, *d), two(*m, *n), two(*x, *y))
    else {
        return false;
    };
    let year = century * 100 + year;
    let longest = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    };
    (1..=longest).contains(&day)
}

/// Returns whether text is `hh:mm`, optionally with seconds, a fraction and an offset.
fn is_time(time: &[u8]) -> bool {
    let Some(([h, g, b':', m, n], rest)) = time.split_first_chunk::<5>() else { return false };
    if !(two(*h, *g).is_some_and(|hour| hour < 24) && two(*m, *n).is_some_and(|minute| minute < 60)) {
        return false;
    }
    let rest = match rest {
        [b':', s, t, rest @ ..] if two(*s, *t).is_some_and(|second| second <= 60) => match rest {
            [b'.', fraction @ ..] if run(fraction) > 0 => after(fraction, run(fraction)),
            rest => rest,
        },
        rest => rest,
    };
    match rest {
        [] | [b'Z' | b'z'] => true,
        [b'+' | b'-', h, g, b':', m, n] => {
            two(*h, *g).is_some_and(|hour| hour < 24) && two(*m, *n).is_some_and(|minute| minute < 60)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_type_they_show() {
        let check = |cell: &str, expected: ValueType| {
            assert_eq!(of_cell(cell.as_bytes(), byte_classes(cell.as_bytes())).value_type(), expected, "{cell}");
        };
        check("", ValueType::Null);
        for cell in ["0", "-1", "42", "999999999999999999", "123456789012345678901"] {
            check(cell, ValueType::Integer);
        }
        for cell in ["0.5", "-1.25", "1e9", "1.5E-3", "12345678901234567.5"] {
            check(cell, ValueType::Number);
        }
        for cell in ["2024-02-29", "0001-01-01"] {
            check(cell, ValueType::Date);
        }
        for cell in ["2024-02-29T10:00", "2024-01-01 10:00:00", "2024-01-01T10:00:00.123Z", "2024-01-01T10:00:00+02:00"]
        {
            check(cell, ValueType::Timestamp);
        }
        for cell in ["true", "FALSE", "True"] {
            check(cell, ValueType::Boolean);
        }
        for cell in [
            "007",
            "+1",
            ".5",
            "1.",
            "1e",
            "-",
            "--1",
            "2023-02-29",
            "2024-13-01",
            "2024-01-01T25:00",
            "null",
            "NaN",
            "1,5",
            "12:30",
            "truth",
            "ä1",
            "2024-01-01x",
            "1-2",
            "0x10",
        ] {
            check(cell, ValueType::Text);
        }
    }

    #[test]
    fn short_decimals_are_the_nearest_doubles() {
        for literal in ["0.1", "-12.345", "99999999999.9999", "3.14159", "0.000001"] {
            assert_eq!(
                of_number(literal.as_bytes()),
                Value::Number(Double::new(literal.parse().unwrap())),
                "{literal}"
            );
        }
    }
}
