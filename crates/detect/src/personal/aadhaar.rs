//! Aadhaar, the Indian resident's number: twelve digits from 2 up that pass Verhoeff.
//!
//! Bare or in fours. Bare numbers that read as a date and time are left out, since one in ten
//! would pass by accident.

use std::ops::Range;

use super::checksum::verhoeff;
use super::digits::{Group, Tied, groups, span, stands_alone, values};
use crate::bytes::part;

/// The bytes of every Aadhaar number in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut before: Option<Group> = None;
    let numbers = groups(text).filter_map(|first| number_at(text, before.replace(first), first));
    numbers.collect()
}

/// Returns true if a number begins with this group, whatever stands before it.
pub(super) fn is_at(text: &str, first: &Group) -> bool {
    number_at(text, None, *first).is_some()
}

fn number_at(text: &str, before: Option<Group>, first: Group) -> Option<Range<usize>> {
    // A fourth group of four on either side makes it a card's number.
    let four = |group: &Group| group.len() == 4;
    let crowded_before = first.tie.is_some() && before.as_ref().is_some_and(four);
    if crowded_before || !matches!(first.len(), 4 | 12) {
        return None;
    }
    let tied = Tied::from(text, first, 4);
    let run = tied.runs().find(|run| is_grouped_so(run))?;
    let crowded_after = run.last().and_then(|last| last.tied_after(text)).as_ref().is_some_and(four);
    let range = span(run);
    if crowded_after || !stands_alone(text, &range) || ends_an_identifier(text, &range) {
        return None;
    }
    let digits = values(text, &range);
    let valid = digits.first().is_some_and(|digit| *digit >= 2)
        && !(run.len() == 1 && is_date_and_time(&digits))
        && digits.iter().any(|digit| Some(digit) != digits.first())
        && verhoeff(&digits);
    valid.then_some(range)
}

fn is_grouped_so(run: &[Group]) -> bool {
    let lengths = || run.iter().map(Group::len);
    lengths().eq([12]) || lengths().eq([4, 4, 4])
}

/// Returns true if a hyphen ties the number to hex before it, as the last group of a UUID is.
fn ends_an_identifier(text: &str, range: &Range<usize>) -> bool {
    let before = part(text.as_bytes(), ..range.start);
    matches!(before, [.., hex, b'-'] if hex.is_ascii_hexdigit())
}

/// `YYYYMMDDhhmm` of this century.
fn is_date_and_time(digits: &[u8]) -> bool {
    let [2, 0, _, _, m1, m2, d1, d2, h1, h2, n1, _] = digits else {
        return false;
    };
    let pair = |tens: &u8, ones: &u8| tens * 10 + ones;
    (1..=12).contains(&pair(m1, m2)) && (1..=31).contains(&pair(d1, d2)) && pair(h1, h2) < 24 && *n1 < 6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::testing::found;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(found(find, text), expected, "in {text:?}");
    }

    #[test]
    fn finds_valid_numbers() {
        check("uid 2341 2341 2346.", &["2341 2341 2346"]);
        check("uid 2341-2341-2346", &["2341-2341-2346"]);
        check("\"234123412346\"", &["234123412346"]);
    }

    #[test]
    fn passes_over_the_rest() {
        check("2341 2341 2347", &[]);
        check("1341 2341 2346", &[]);
        check("999999999999", &[]);
        check("2341 2341 2346 1111", &[]);
        check("1111 2341 2341 2346", &[]);
        check("0b9d1c52-7f7e-4a0e-8f59-234123412346", &[]);
        check("234123412346789", &[]);
    }
}
