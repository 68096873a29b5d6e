//! US social security numbers: `123-45-6789`, or bare digits under a telling name.
//!
//! They have no check digit, so separators or a name are required, and ranges that are never issued are left out.

use std::ops::Range;

use super::context::Names;
use super::digits::{Group, Tied, groups, span, stands_alone, values};
use crate::bytes::part;

/// The names of such a number.
pub(super) const NAMES: Names = Names { short: "ssn", joined: &["socialsecurity", "socialsec"] };

/// The bytes of every social security number in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = separated(text).collect();
    let bare = groups(text).filter(|group| group.len() == 9 && group.tie.is_none() && group.tied_after(text).is_none());
    let bare = bare.map(|group| group.start..group.end);
    found.extend(bare.filter(|range| {
        stands_alone(text, range)
            && !touches_hyphen(text, range)
            && is_issued(&values(text, range))
            && NAMES.stand_before(text, range.start)
    }));
    found.sort_by_key(|range| range.start);
    found
}

/// Returns true if a number is grouped as a social security number, which telephone numbers never are.
pub(super) fn is_written_so(number: &str) -> bool {
    let lengths = number.split('-').map(|part| if part.bytes().all(|b| b.is_ascii_digit()) { part.len() } else { 0 });
    lengths.eq([3, 2, 4])
}

fn separated(text: &str) -> impl Iterator<Item = Range<usize>> {
    groups(text)
        .filter(|first| first.len() == 3)
        .map(|first| Tied::from(text, first, 3))
        .filter(|tied| tied.all().iter().map(Group::len).eq([3, 2, 4]) && !is_tied_to_more(text, tied.all()))
        .map(|tied| span(tied.all()))
        .filter(|range| stands_alone(text, range) && !touches_hyphen(text, range))
        .filter(|range| is_issued(&values(text, range)))
}

/// Returns true if a number may begin with this group of three.
pub(super) fn may_begin(bytes: &[u8], first: &Group) -> bool {
    let [separator, g1, g2, again, s1, ..] = part(bytes, first.end..) else {
        return false;
    };
    matches!(separator, b' ' | b'-') && separator == again && [g1, g2, s1].into_iter().all(u8::is_ascii_digit)
}

/// Returns true if the run is the middle of a longer number.
fn is_tied_to_more(text: &str, run: &[Group]) -> bool {
    let before = run.first().is_some_and(|group| group.tie.is_some());
    before || run.last().is_some_and(|group| group.tied_after(text).is_some())
}

fn touches_hyphen(text: &str, range: &Range<usize>) -> bool {
    let at = |index: Option<usize>| index.and_then(|index| text.as_bytes().get(index));
    at(range.start.checked_sub(1)) == Some(&b'-') || at(Some(range.end)) == Some(&b'-')
}

fn is_issued(digits: &[u8]) -> bool {
    let [a1, a2, a3, g1, g2, serial @ ..] = digits else {
        return false;
    };
    let area = [*a1, *a2, *a3];
    area != [0, 0, 0] && area != [6, 6, 6] && *a1 != 9 && (*g1, *g2) != (0, 0) && serial.iter().any(|digit| *digit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::testing::found;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(found(find, text), expected, "in {text:?}");
    }

    #[test]
    fn finds_separated_numbers() {
        check("ssn 536-22-1847.", &["536-22-1847"]);
        check("ssn: 536 22 1847", &["536 22 1847"]);
    }

    #[test]
    fn finds_bare_numbers_under_a_name() {
        check("ssn=\"536221847\"", &["536221847"]);
        check("SSN: 536221847, born", &["536221847"]);
        check("socialSecurityNumber=\"536221847\"", &["536221847"]);
        check("order 536221847", &[]);
        check("session: 536221847", &[]);
        check("ssn 000221847", &[]);
        check("ssn 5362218471", &[]);
    }

    #[test]
    fn passes_over_ranges_never_issued_and_longer_numbers() {
        for text in [
            "000-22-1847",
            "666-22-1847",
            "936-22-1847",
            "536-00-1847",
            "536-22-0000",
            "536221847",
            "536-22 1847",
            "1-536-22-1847",
            "536-22-1847-9",
            "a-536-22-1847",
            "2026-11-15",
        ] {
            check(text, &[]);
        }
    }
}
