//! NHS numbers of England, Wales and the Isle of Man: ten digits whose last is a check digit modulo 11.
//!
//! Grouped as they are printed (`943 476 5919`), or bare under a name: of bare numbers one in eleven would pass by
//! accident.

use std::ops::Range;

use super::checksum::mod_11;
use super::context::Names;
use super::digits::{Group, Tied, groups, span, stands_alone, values};

/// The names of such a number.
pub(super) const NAMES: Names = Names { short: "nhs", joined: &["nationalhealthservice"] };

/// The bytes of every NHS number in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    groups(text).filter(|first| matches!(first.len(), 3 | 10)).filter_map(|first| number_at(text, first)).collect()
}

/// Returns true if a grouped number begins with this group of three.
pub(super) fn is_grouped_at(text: &str, first: &Group) -> bool {
    number_at(text, *first).is_some()
}

/// Returns true if this group of three and those tied to it are grouped as a number is printed.
pub(super) fn has_groups(text: &str, first: &Group) -> bool {
    Tied::from(text, *first, 3).all().iter().map(Group::len).eq([3, 3, 4])
}

fn number_at(text: &str, first: Group) -> Option<Range<usize>> {
    let tied = Tied::from(text, first, 3);
    let printed = tied.all().iter().map(Group::len).eq([3, 3, 4]);
    let run = if printed { tied.all() } else { tied.all().get(..1)? };
    if first.tie.is_some() || run.last()?.tied_after(text).is_some() {
        return None;
    }
    let range = span(run);
    let hyphened = text.get(range.clone())?.contains('-');
    // With hyphens it is how telephone numbers are written.
    let named = || NAMES.stand_before(text, range.start);
    let known = (printed && !hyphened) || ((printed || first.len() == 10) && named());
    (known && stands_alone(text, &range) && is_issued(&values(text, &range))).then_some(range)
}

/// Returns true if the check digit fits and the digits are not all the same.
pub(super) fn is_issued(digits: &[u8]) -> bool {
    digits.iter().any(|digit| Some(digit) != digits.first()) && mod_11(digits, 10)
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
        check("patient 943 476 5919, seen", &["943 476 5919"]);
        check("nhs_number=\"9434765919\"", &["9434765919"]);
        check("NHS No: 943-476-5919", &["943-476-5919"]);
    }

    #[test]
    fn passes_over_other_numbers() {
        for text in [
            "943 476 5918",
            "9434765919",
            "943-476-5919",
            "0000000000",
            "nhs 1111111111",
            "nhs 9434765918",
            "1 943 476 5919",
            "943 476 5919 1",
            "943 476 59191",
            "x943 476 5919",
        ] {
            check(text, &[]);
        }
    }
}
