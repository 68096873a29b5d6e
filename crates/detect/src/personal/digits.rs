//! Numbers as people write them: groups of digits with single separators between.

use std::ops::Range;

/// One unbroken group of digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The bytes of the group.
    pub(super) range: Range<usize>,
    /// The space or hyphen that ties this group to the one before it, if one does.
    pub(super) tie: Option<u8>,
}

impl Group {
    /// How many digits the group has.
    pub(super) fn len(&self) -> usize {
        self.range.len()
    }
}

/// Every group of digits in the text, each with its tie to the one before.
pub(super) fn groups(text: &str) -> Vec<Group> {
    let bytes = text.as_bytes();
    let mut groups: Vec<Group> = Vec::new();
    let mut open: Option<usize> = None;
    for (at, byte) in bytes.iter().copied().chain(std::iter::once(0)).enumerate() {
        match (byte.is_ascii_digit(), open) {
            (true, None) => open = Some(at),
            (false, Some(start)) => {
                let tie = groups.last().and_then(|last| tie(bytes, last.range.end, start));
                groups.push(Group { range: start..at, tie });
                open = None;
            }
            _ => {}
        }
    }
    groups
}

fn tie(bytes: &[u8], end: usize, start: usize) -> Option<u8> {
    let between = bytes.get(end).copied().filter(|byte| matches!(byte, b' ' | b'-'));
    between.filter(|_| start == end + 1)
}

/// The digits of a range, as numbers, without separators.
pub(super) fn values(text: &str, range: &Range<usize>) -> Vec<u8> {
    let bytes = text.get(range.clone()).unwrap_or_default().bytes();
    bytes.filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect()
}

/// Whether the range stands alone: no letter, digit or underscore touches it, nor does a decimal
/// point with a digit beyond it, so that it is no part of an identifier or a fraction.
pub(super) fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let at = |index: Option<usize>| index.and_then(|index| text.as_bytes().get(index)).copied();
    let before = [range.start.checked_sub(1), range.start.checked_sub(2)].map(at);
    let after = [Some(range.end), range.end.checked_add(1)].map(at);
    [before, after].into_iter().all(|neighbours| match neighbours {
        [Some(b'.'), Some(beyond)] => !beyond.is_ascii_digit(),
        [Some(next), _] => !next.is_ascii_alphanumeric() && next != b'_',
        [None, _] => true,
    })
}

/// Runs of up to `most` neighbouring groups, from one group on, tied by one and the same separator;
/// the longest run first.
pub(super) fn tied_runs(groups: &[Group], first: usize, most: usize) -> impl Iterator<Item = &[Group]> {
    let rest = groups.get(first..).unwrap_or_default();
    let separator = rest.get(1).and_then(|group| group.tie);
    let same = |group: &&Group| group.tie.is_some() && group.tie == separator;
    // Looking no further than `most` keeps the walk over all groups linear.
    let tied = rest.iter().take(most).skip(1).take_while(same).count();
    (1..=tied + 1).rev().filter_map(move |length| rest.get(..length))
}

/// The bytes from the first group's start to the last group's end.
pub(super) fn span(groups: &[Group]) -> Range<usize> {
    let start = groups.first().map_or(0, |group| group.range.start);
    start..groups.last().map_or(start, |group| group.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_and_ties_groups() {
        let ties: Vec<_> = groups("12 34-56  78.90").into_iter().map(|g| (g.range, g.tie)).collect();
        assert_eq!(ties, [(0..2, None), (3..5, Some(b' ')), (6..8, Some(b'-')), (10..12, None), (13..15, None)]);
    }

    #[test]
    fn a_fraction_or_an_identifier_does_not_stand_alone() {
        assert!(stands_alone("n: 123.", &(3..6)));
        assert!(!stands_alone("0.123", &(2..5)));
        assert!(!stands_alone("123.5", &(0..3)));
        assert!(!stands_alone("a123", &(1..4)));
        assert!(!stands_alone("123_", &(0..3)));
    }

    #[test]
    fn runs_share_one_separator() {
        let all = groups("1 2 3-4");
        let lengths: Vec<_> = tied_runs(&all, 0, 9).map(<[Group]>::len).collect();
        assert_eq!(lengths, [3, 2, 1]);
        let lengths: Vec<_> = tied_runs(&all, 0, 2).map(<[Group]>::len).collect();
        assert_eq!(lengths, [2, 1]);
    }
}
