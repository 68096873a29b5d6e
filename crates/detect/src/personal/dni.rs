//! DNI and NIE, the numbers of people in Spain: seven or eight digits and a letter that checks them.

use std::ops::Range;

use super::digits::{Group, groups, values};

/// The letter of each remainder modulo 23.
const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

/// The bytes of every DNI and NIE in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    groups(text).filter_map(|group| number_at(text.as_bytes(), text, &group)).collect()
}

/// Returns true if the text has one.
pub(super) fn is_in(text: &str) -> bool {
    groups(text).any(|group| number_at(text.as_bytes(), text, &group).is_some())
}

fn number_at(bytes: &[u8], text: &str, group: &Group) -> Option<Range<usize>> {
    let at = |place: Option<usize>| place.and_then(|place| bytes.get(place)).copied();
    let (start, lead) = match (group.len(), at(group.start.checked_sub(1))) {
        (8, _) => (group.start, 0),
        // The first letter of a foreigner's number stands for a digit.
        (7, Some(letter @ b'X'..=b'Z')) => (group.start - 1, u32::from(letter - b'X')),
        (7, Some(b'-')) => match at(group.start.checked_sub(2)) {
            Some(letter @ b'X'..=b'Z') => (group.start - 2, u32::from(letter - b'X')),
            _ => return None,
        },
        _ => return None,
    };
    let letter = match at(Some(group.end))? {
        b'-' => group.end + 1,
        _ => group.end,
    };
    let range = start..letter + 1;
    let digits = values(text, &(group.start..group.end));
    let number = digits.iter().fold(lead, |number, digit| number * 10 + u32::from(*digit));
    let fits = LETTERS.get((number % 23) as usize).copied() == at(Some(letter));
    let apart =
        |next: Option<u8>| next.is_none_or(|next| !next.is_ascii_alphanumeric() && !matches!(next, b'_' | b'-' | b'.'));
    let stands_alone = apart(at(start.checked_sub(1))) && apart_after(at(Some(range.end)), at(Some(range.end + 1)));
    let same = digits.iter().all(|digit| Some(digit) == digits.first());
    (fits && stands_alone && !same && !(lead == 0 && is_date(&digits))).then_some(range)
}

/// Returns true if nothing that follows makes the number part of more; a stop may end the sentence.
fn apart_after(next: Option<u8>, beyond: Option<u8>) -> bool {
    match next {
        Some(b'.') => beyond.is_none_or(|beyond| !beyond.is_ascii_alphanumeric()),
        Some(next) => !next.is_ascii_alphanumeric() && !matches!(next, b'_' | b'-'),
        None => true,
    }
}

/// `YYYYMMDD` of the last hundred years or so, as in `20240305T…`.
fn is_date(digits: &[u8]) -> bool {
    let [c1, c2, _, _, m1, m2, d1, d2] = digits else { return false };
    let pair = |tens: &u8, ones: &u8| tens * 10 + ones;
    matches!((c1, c2), (1, 9) | (2, 0)) && (1..=12).contains(&pair(m1, m2)) && (1..=31).contains(&pair(d1, d2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::testing::found;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(found(find, text), expected, "in {text:?}");
    }

    #[test]
    fn finds_numbers() {
        check("DNI 12345678Z.", &["12345678Z"]);
        check("\"12345678-Z\"", &["12345678-Z"]);
        check("nie: X1234567L, Y-1234567-X", &["X1234567L", "Y-1234567-X"]);
    }

    #[test]
    fn passes_over_the_rest() {
        for text in [
            "12345678A",
            "12345678z",
            "x12345678Z",
            "12345678ZX",
            "112345678Z",
            "X1234567M",
            "00000000T",
            "20240305T",
            "v1.12345678Z-2",
            "AX1234567L",
        ] {
            check(text, &[]);
        }
    }
}
