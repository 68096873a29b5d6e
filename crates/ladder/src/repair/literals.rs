//! Numbers as the text writes them: `1.0` and `1.10` are versions where text was meant, and `1` and `1.1` are others.

use super::kind::RepairKind;
use crate::excerpt::excerpt;
use serde_json::{Number, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Fewer digits are held by a double as they are written.
const HELD: usize = 15;

/// The literals of a text, by the number that each is read as.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    by_number: BTreeMap<String, BTreeSet<String>>,
}

impl Literals {
    /// The literals of a text, as they stood before it was repaired.
    ///
    /// Repairs are given by kind, place and what was put in, in the order of the text.
    pub(crate) fn of<'r>(text: &str, repairs: impl Iterator<Item = (&'r str, Range<usize>, &'r str)>) -> Self {
        let mut literals = Self::default();
        let kinds =
            [RepairKind::PlusSign, RepairKind::BareDecimalPoint, RepairKind::HexNumber, RepairKind::DigitGroups];
        let mut replaced: Vec<Range<usize>> = Vec::new();
        for (kind, at, inserted) in repairs.filter(|(_, at, _)| !at.is_empty()) {
            if kinds.iter().any(|known| known.as_str() == kind) {
                literals.add(inserted, excerpt(text, at.clone()));
            }
            // These write a whole value in the place of text, numbers as the text has them.
            let rewritten = [RepairKind::KeyValueLines, RepairKind::Table, RepairKind::ForeignValue];
            if rewritten.iter().any(|known| known.as_str() == kind) {
                numbers(inserted).for_each(|(_, literal)| literals.add(literal, literal));
            }
            replaced.push(at);
        }
        let outside = |at: usize| {
            let before = replaced.partition_point(|part| part.start <= at).checked_sub(1);
            before.and_then(|before| replaced.get(before)).is_none_or(|part| part.end <= at)
        };
        numbers(text).filter(|(at, _)| outside(*at)).for_each(|(_, literal)| literals.add(literal, literal));
        literals
    }

    fn add(&mut self, json: &str, literal: &str) {
        if let Ok(Value::Number(number)) = deed_canon::parse(json.as_bytes()) {
            self.by_number.entry(number.to_string()).or_default().insert(literal.to_owned());
        }
    }

    /// How a number was written: as the text has it, or in JSON's own form if the text does not have it. None where the
    /// text writes it in two ways.
    pub(crate) fn written(&self, number: &Number) -> Option<String> {
        let json = number.to_string();
        let Some(literals) = self.by_number.get(&json) else { return Some(json) };
        let mut literals = literals.iter();
        literals.next().filter(|_| literals.next().is_none()).cloned()
    }
}

/// A number that lost digits when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rounded {
    /// Where it stands in the text.
    pub(crate) at: usize,
    /// As the text has it.
    pub(crate) literal: String,
    /// As it was read.
    pub(crate) read: String,
}

/// The numbers of a JSON text with more digits than a double holds.
pub(crate) fn rounded(text: &str) -> Vec<Rounded> {
    if !has_long_number(text) {
        return Vec::new();
    }
    let lost = |(at, literal): (usize, &str)| {
        let Ok(Value::Number(read)) = deed_canon::parse(literal.as_bytes()) else { return None };
        let read = read.to_string();
        (digits(literal) != digits(&read)).then(|| Rounded { at, literal: literal.to_owned(), read })
    };
    numbers(text).filter(|(_, literal)| literal.len() > HELD).filter_map(lost).collect()
}

/// Whether more digits stand around any point than a double holds.
fn has_long_number(text: &str) -> bool {
    let digits = |bytes: &mut dyn Iterator<Item = &u8>| bytes.take_while(|byte| byte.is_ascii_digit()).count();
    text.match_indices('.').any(|(at, _)| {
        let (before, after) = text.as_bytes().split_at_checked(at).unwrap_or_default();
        let behind = digits(&mut after.iter().skip(1));
        behind > 0 && behind + digits(&mut before.iter().rev()) > HELD
    })
}

/// The digits of a number that count, and where its point stands.
fn digits(literal: &str) -> (String, i64) {
    let literal = literal.trim_start_matches(['-', '+']);
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let exponent = exponent.parse::<i64>().unwrap_or(i64::MAX).saturating_sub(places);
    let kept = all.trim_start_matches('0').trim_end_matches('0');
    let dropped = i64::try_from(all.len() - all.trim_end_matches('0').len()).unwrap_or(0);
    (kept.to_owned(), if kept.is_empty() { 0 } else { exponent.saturating_add(dropped) })
}

/// The numbers of a text outside its strings, each with its place.
fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            match bytes.get(at)? {
                b'"' => at = past_string(bytes, at + 1),
                b'-' | b'0'..=b'9' => {
                    let start = at;
                    let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-' | b'_');
                    at += bytes.get(at..)?.iter().position(|b| !part(b)).unwrap_or(bytes.len() - at);
                    return text.get(start..at).map(|literal| (start, literal));
                }
                byte if byte.is_ascii_alphabetic() || *byte == b'_' => {
                    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                    at += bytes.get(at..)?.iter().position(|b| !word(b)).unwrap_or(bytes.len() - at);
                }
                _ => at += 1,
            }
        }
    })
}

fn past_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{Literals, rounded};
    use serde_json::Number;

    #[test]
    fn numbers_that_lose_digits_are_found() {
        let lost: Vec<String> =
            rounded(r#"{"a": 1.0000000000000000001, "b": "1.0000000000000000001", "c": 1234567.125, "d": 0.1}"#)
                .into_iter()
                .map(|number| format!("{} {} {}", number.at, number.literal, number.read))
                .collect();
        assert_eq!(lost, ["6 1.0000000000000000001 1"]);
        assert!(rounded("[0.30000000000000004, 1.7976931348623157e308, 1.500000000000000000000]").is_empty());
    }

    #[test]
    fn a_number_is_written_as_the_text_has_it() {
        let literals = Literals::of(r#"{"v": 1.0, "n": [2, 2.0], "s": "3.0"}"#, std::iter::empty());
        assert_eq!(literals.written(&Number::from(1)), Some("1.0".to_owned()));
        assert_eq!(literals.written(&Number::from(2)), None);
        assert_eq!(literals.written(&Number::from(3)), Some("3".to_owned()));
    }
}
