//! The smallest and the largest value of a column, and whether its values are strictly ascending or descending.
//!
//! Strictly ascending values are all different, however many there are: that proves a key without keeping any hash.

use crate::bytes::head;
use crate::context::cut_bytes;
use crate::secret::CONCEALED;
use crate::table::value::Value;
use deed_detect::SecretScanner;
use deed_model::Extreme;
use std::cmp::Ordering;

/// Bytes of a text that are compared; beyond them two texts count as equal.
const COMPARED: usize = 256;

/// Characters of a text that are shown.
const SHOWN: usize = 64;

/// The largest whole number that every reader reads alike.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// The kind of the values so far.
enum Family {
    None,
    Whole {
        min: i64,
        max: i64,
    },
    Real {
        min: Real,
        max: Real,
    },
    Text {
        min: Text,
        max: Text,
    },
    /// Values that are not compared with each other.
    Apart,
}

/// A number and its literal.
struct Real {
    value: f64,
    literal: Box<[u8]>,
}

/// The beginning of a text, its first bytes as a number.
struct Text {
    prefix: u64,
    bytes: Vec<u8>,
}

/// The range of a column.
pub(crate) struct Range {
    family: Family,
    rises: bool,
    falls: bool,
}

impl Default for Range {
    fn default() -> Self {
        Self { family: Family::None, rises: true, falls: true }
    }
}

impl Range {
    /// Takes a value and its literal.
    #[inline]
    pub(crate) fn see(&mut self, value: Value, written: &[u8]) {
        let (below, above) = match (&mut self.family, value) {
            (_, Value::Null) => return,
            (Family::Whole { min, max }, Value::Integer(value)) => {
                let compared = (value < *min, value > *max);
                *min = value.min(*min);
                *max = value.max(*max);
                compared
            }
            (Family::Text { min, max }, Value::Text | Value::Date | Value::Timestamp) => {
                let prefix = prefix(written);
                let compared = (min.cmp(prefix, written).is_gt(), max.cmp(prefix, written).is_lt());
                if compared.0 {
                    min.set(prefix, written);
                }
                if compared.1 {
                    max.set(prefix, written);
                }
                compared
            }
            _ => self.rarely(value, written),
        };
        self.rises &= above;
        self.falls &= below;
    }

    /// Takes a value that was seen before: the values are neither strictly ascending nor descending.
    #[inline]
    pub(crate) fn see_again(&mut self) {
        (self.rises, self.falls) = (false, false);
    }

    /// Takes the first value of a family, and values of rare families.
    fn rarely(&mut self, value: Value, written: &[u8]) -> (bool, bool) {
        let number = match value {
            Value::Integer(value) => value as f64,
            Value::Wide(value) | Value::Number(value) => value.get(),
            _ => 0.0,
        };
        match (&mut self.family, value) {
            (Family::None, Value::Integer(value)) => {
                self.family = Family::Whole { min: value, max: value };
                (true, true)
            }
            (Family::None, Value::Wide(_) | Value::Number(_)) => {
                self.family = Family::Real { min: Real::new(number, written), max: Real::new(number, written) };
                (true, true)
            }
            (Family::None, Value::Text | Value::Date | Value::Timestamp) => {
                self.family = Family::Text { min: Text::new(written), max: Text::new(written) };
                (true, true)
            }
            (Family::Whole { min, max }, Value::Wide(_) | Value::Number(_)) => {
                let (min, max) = (Real::of_whole(*min), Real::of_whole(*max));
                self.family = Family::Real { min, max };
                self.rarely(value, written)
            }
            (Family::Real { min, max }, Value::Integer(_) | Value::Wide(_) | Value::Number(_)) => {
                let compared = (number < min.value, number > max.value);
                if compared.0 {
                    *min = Real::new(number, written);
                }
                if compared.1 {
                    *max = Real::new(number, written);
                }
                compared
            }
            _ => {
                self.family = Family::Apart;
                (false, false)
            }
        }
    }

    /// Returns whether the values are strictly ascending or strictly descending.
    pub(crate) fn is_ordered(&self) -> bool {
        (self.rises || self.falls) && !matches!(self.family, Family::None | Family::Apart)
    }

    /// Conceals texts that are secrets: a receipt is kept and shown also where the artifact is not. The name of the column
    /// is scanned with the text, since many keys are only recognisable by it.
    pub(crate) fn conceal_secrets(&mut self, name: &str) {
        if let Family::Text { min, max } = &mut self.family {
            min.conceal(name);
            max.conceal(name);
        }
    }

    /// The smallest and the largest value, if the values are comparable.
    pub(crate) fn extremes(&self) -> Option<(Extreme, Extreme)> {
        match &self.family {
            Family::None | Family::Apart => None,
            Family::Whole { min, max } => Some((whole(*min), whole(*max))),
            Family::Real { min, max } => Some((min.extreme(), max.extreme())),
            Family::Text { min, max } => Some((min.extreme(), max.extreme())),
        }
    }
}

fn whole(value: i64) -> Extreme {
    if (-MAX_SAFE..=MAX_SAFE).contains(&value) { Extreme::Integer(value) } else { Extreme::Number(value.to_string()) }
}

impl Real {
    fn new(value: f64, written: &[u8]) -> Self {
        Self { value, literal: head(written, COMPARED).into() }
    }

    fn of_whole(value: i64) -> Self {
        Self::new(value as f64, value.to_string().as_bytes())
    }

    fn extreme(&self) -> Extreme {
        Extreme::Number(cut_bytes(&self.literal, SHOWN))
    }
}

/// The first eight bytes as a number that compares as they do.
#[inline]
fn prefix(written: &[u8]) -> u64 {
    if let Some(word) = written.first_chunk::<8>() {
        return u64::from_be_bytes(*word);
    }
    let room = 64 - 8 * written.len() as u32;
    match (written.first_chunk::<4>(), written.last_chunk::<4>()) {
        // The two halves overlap, and agree where they do.
        (Some(first), Some(last)) => {
            u64::from(u32::from_be_bytes(*first)) << 32 | u64::from(u32::from_be_bytes(*last)) << room
        }
        // The shift of no bytes at all is too wide, and their number is zero.
        _ => written.iter().fold(0_u64, |word, byte| word << 8 | u64::from(*byte)).checked_shl(room).unwrap_or(0),
    }
}

impl Text {
    fn new(written: &[u8]) -> Self {
        let mut text = Self { prefix: 0, bytes: Vec::new() };
        text.set(prefix(written), written);
        text
    }

    fn set(&mut self, prefix: u64, written: &[u8]) {
        self.prefix = prefix;
        self.bytes.clear();
        self.bytes.extend_from_slice(head(written, COMPARED));
    }

    #[inline]
    fn cmp(&self, prefix: u64, written: &[u8]) -> Ordering {
        self.prefix.cmp(&prefix).then_with(|| self.bytes.as_slice().cmp(head(written, COMPARED)))
    }

    fn conceal(&mut self, name: &str) {
        let text = String::from_utf8_lossy(&self.bytes);
        if !SecretScanner::standard().scan_value(Some(name), &text).is_empty() {
            self.bytes = CONCEALED.as_bytes().to_vec();
        }
    }

    fn extreme(&self) -> Extreme {
        Extreme::Text(cut_bytes(&self.bytes, SHOWN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::value::{byte_classes, of_cell};

    fn range(cells: &[&str]) -> Range {
        let mut range = Range::default();
        for cell in cells {
            range.see(of_cell(cell.as_bytes(), byte_classes(cell.as_bytes())), cell.as_bytes());
        }
        range
    }

    fn text(text: &str) -> Extreme {
        Extreme::Text(text.to_owned())
    }

    #[test]
    fn numbers_are_compared_as_numbers_and_text_as_text() {
        assert_eq!(range(&["9", "10", "-2"]).extremes(), Some((Extreme::Integer(-2), Extreme::Integer(10))));
        let number = |literal: &str| Extreme::Number(literal.to_owned());
        assert_eq!(range(&["9", "10", "2.50"]).extremes(), Some((number("2.50"), number("10"))));
        assert_eq!(range(&["b", "a", "abc"]).extremes(), Some((text("a"), text("b"))));
        assert_eq!(range(&["2024-01-02", "2023-12-31"]).extremes(), Some((text("2023-12-31"), text("2024-01-02"))));
        assert_eq!(range(&["1", "x"]).extremes(), None);
        let long = "x".repeat(100);
        let Some((Extreme::Text(shown), _)) = range(&[&long]).extremes() else { panic!() };
        assert_eq!(shown.chars().count(), 64);
        assert_eq!(range(&["1234567", "12345678", "123"]).extremes().unwrap().1, Extreme::Integer(12_345_678));
        assert_eq!(
            range(&["abcdefg", "abcdefgh", "abc", "abcdefgi"]).extremes(),
            Some((text("abc"), text("abcdefgi")))
        );
    }

    #[test]
    fn prefixes_compare_as_texts_do() {
        let texts = ["", "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "abcdefghi", "b", "bcdef"];
        assert!(texts.iter().map(|text| prefix(text.as_bytes())).is_sorted());
        assert_eq!(prefix(b"abcde"), u64::from_be_bytes(*b"abcde\0\0\0"));
    }

    #[test]
    fn order_is_strict() {
        assert!(range(&["1", "2", "10"]).is_ordered());
        assert!(range(&["10", "2", "1"]).is_ordered());
        assert!(range(&["a", "b", "c"]).is_ordered());
        assert!(range(&["1", "2.5", "3"]).is_ordered());
        assert!(!range(&["1", "2", "2"]).is_ordered());
        assert!(!range(&["1", "3", "2"]).is_ordered());
        assert!(!range(&["1", "2", "x"]).is_ordered());
        let long = "x".repeat(256);
        assert!(!range(&[&long, &format!("{long}y")]).is_ordered());
    }
}
