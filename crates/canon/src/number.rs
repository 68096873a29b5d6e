//! Numbers with a canonical form.
//!
//! A document may only hold numbers that every reader reads alike. An integral double is stored as an integer, so `1.0`
//! and `1` are the same value and not only the same bytes.

use crate::error::ParseErrorKind;
use serde_json::Number;

/// 2^53 - 1, the largest integer up to which doubles have no gap.
pub(crate) const MAX_SAFE: i64 = 9_007_199_254_740_991;
const MAX_SAFE_F64: f64 = 9_007_199_254_740_991.0;
/// From here on ECMAScript writes an exponent, so the digits no longer claim to be exact.
const EXPONENT_FROM: f64 = 1e21;

/// Returns true if `value` would be written as digits that a reader could not represent exactly.
pub(crate) fn is_unsafe_double(value: f64) -> bool {
    let size = value.abs();
    size > MAX_SAFE_F64 && size < EXPONENT_FROM && value.fract() == 0.0
}

/// Converts a double to a number.
///
/// # Errors
/// If it has no canonical form.
pub fn number_from_f64(value: f64) -> Result<Number, ParseErrorKind> {
    if !value.is_finite() {
        return Err(ParseErrorKind::NotANumber);
    }
    if is_unsafe_double(value) {
        return Err(ParseErrorKind::UnsafeInteger);
    }
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE_F64 {
        // The range was checked, so the conversion is exact.
        return Ok(Number::from(value as i64));
    }
    Number::from_f64(value).ok_or(ParseErrorKind::NotANumber)
}

/// Converts a JSON literal whose grammar was already checked.
pub(crate) fn number_from_literal(literal: &str) -> Result<Number, ParseErrorKind> {
    let is_integer = !literal.contains(['.', 'e', 'E']);
    if is_integer {
        return match literal.parse::<i64>() {
            Ok(n) if (-MAX_SAFE..=MAX_SAFE).contains(&n) => Ok(Number::from(n)),
            Ok(_) | Err(_) => Err(ParseErrorKind::UnsafeInteger),
        };
    }
    let value: f64 = literal.parse().map_err(|_| ParseErrorKind::NumberRange)?;
    let mantissa = literal.split(['e', 'E']).next().unwrap_or_default();
    let says_zero = !mantissa.contains(|c: char| ('1'..='9').contains(&c));
    if value.is_infinite() || (value == 0.0 && !says_zero) {
        return Err(ParseErrorKind::NumberRange);
    }
    number_from_f64(value)
}
