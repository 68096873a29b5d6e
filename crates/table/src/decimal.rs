//! Exact decimals: an integer and the number of its digits behind the point.
//!
//! Sums are made here and not in doubles, so that `0.1 + 0.2` is `0.3` and the order of rows does not matter.
//! A number that does not fit 38 digits is refused rather than rounded.

use deed_canon::Invariant;
use std::cmp::Ordering;

/// More digits behind the point than this do not fit beside any others.
const MOST_SCALE: u32 = 38;

/// An exact decimal: `units` divided by ten to the `scale`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Decimal {
    units: i128,
    scale: u32,
}

impl Decimal {
    /// The value of a JSON number; none where it does not fit 38 digits.
    pub fn parse(literal: &str) -> Option<Self> {
        let (mantissa, exponent) = match literal.split_once(['e', 'E']) {
            None => (literal, 0),
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = fraction.trim_end_matches('0');
        let negative = whole.starts_with('-');
        let mut units: i128 = 0;
        for digit in whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit) {
            units = units.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
        }
        if negative {
            units = -units;
        }
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        if units == 0 {
            return Some(Self::default());
        }
        match u32::try_from(scale) {
            Ok(scale) if scale <= MOST_SCALE => Some(Self { units, scale }),
            Ok(_) => None,
            Err(_) => Some(Self { units: units.checked_mul(10_i128.checked_pow(scale.unsigned_abs())?)?, scale: 0 }),
        }
    }

    /// The decimal `units` / 10^`scale`; none where the scale is more than 38.
    pub fn new(units: i128, scale: u32) -> Option<Self> {
        (scale <= MOST_SCALE).then_some(Self { units, scale })
    }

    fn scaled(self, scale: u32) -> Option<i128> {
        self.units.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }

    /// The exact sum; none where it does not fit.
    pub fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        Some(Self { units: self.scaled(scale)?.checked_add(other.scaled(scale)?)?, scale })
    }

    /// The order of two values; none where one does not fit the scale of the other.
    pub fn order(self, other: Self) -> Option<Ordering> {
        let scale = self.scale.max(other.scale);
        Some(self.scaled(scale)?.cmp(&other.scaled(scale)?))
    }

    /// The shortest form without an exponent: `1`, `-0.25`.
    pub fn text(self) -> String {
        let (mut units, mut scale) = (self.units, self.scale);
        while scale > 0 && units % 10 == 0 {
            (units, scale) = (units / 10, scale - 1);
        }
        let digits = units.unsigned_abs().to_string();
        let sign = if units < 0 { "-" } else { "" };
        let scale = usize::try_from(scale).invariant("a scale is at most 38");
        if scale == 0 {
            return format!("{sign}{digits}");
        }
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at_checked(padded.len() - scale).invariant("a decimal is ASCII");
        format!("{sign}{whole}.{fraction}")
    }

    /// The nearest double.
    pub fn double(self) -> f64 {
        self.text().parse().invariant("the text of a decimal is a number")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_the_shortest_form() {
        for (text, expected) in [
            ("0", "0"),
            ("-0", "0"),
            ("1.50", "1.5"),
            ("-0.05", "-0.05"),
            ("1e3", "1000"),
            ("1.25e1", "12.5"),
            ("25e-4", "0.0025"),
            ("100", "100"),
            ("0.000", "0"),
        ] {
            assert_eq!(Decimal::parse(text).unwrap().text(), expected, "{text}");
        }
        assert!(Decimal::parse("1e300").is_none());
        assert!(Decimal::parse("1e-300").is_none());
    }

    #[test]
    fn sums_do_not_drift() {
        let tenth = Decimal::parse("0.1").unwrap();
        let sum = (0..1000).try_fold(Decimal::default(), |sum, _| sum.plus(tenth)).unwrap();
        assert_eq!(sum.text(), "100");
    }
}
