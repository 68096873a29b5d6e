//! Numbers as people write them: groups of digits with single separators between.
//!
//! Nothing here allocates: every text passes through, and hardly any has what is looked for.

use std::ops::Range;

use deed_canon::Invariant;

use crate::bytes::{part, part_of};

/// The most groups that any number is written in.
const MOST_GROUPS: usize = 5;
/// The most digits that any number has: five groups of four.
const MOST_DIGITS: usize = 20;

/// One unbroken group of digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The group's first byte.
    pub(super) start: usize,
    /// The byte after its last.
    pub(super) end: usize,
    /// The space or hyphen that ties this group to the one before it, if one does.
    pub(super) tie: Option<u8>,
}

impl Group {
    /// The number of digits in the group.
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }

    /// The group that is tied to the end of this one, if one is.
    pub(super) fn tied_after(&self, text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let tie = bytes.get(self.end).copied().filter(|byte| matches!(byte, b' ' | b'-'));
        let start = self.end + 1;
        let length = bytes.get(start..).filter(|_| tie.is_some()).map_or(0, leading_digits);
        (length > 0).then_some(Self { start, end: start + length, tie })
    }
}

/// Every group of digits in the text, each with its tie to the one before.
pub(super) fn groups(text: &str) -> impl Iterator<Item = Group> {
    let bytes = text.as_bytes();
    let mut last: Option<Group> = None;
    std::iter::from_fn(move || {
        let from = last.map_or(0, |last| last.end);
        let tied = last.and_then(|last| last.tied_after(text));
        let next = tied.or_else(|| {
            let rest = bytes.get(from..)?;
            let start = from + rest.iter().position(u8::is_ascii_digit)?;
            let length = bytes.get(start..).map_or(0, leading_digits);
            Some(Group { start, end: start + length, tie: None })
        })?;
        last = Some(next);
        last
    })
}

pub(super) fn leading_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The digits of a number, without separators; those past the longest number are left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values {
    digits: [u8; MOST_DIGITS],
    length: usize,
}

impl std::ops::Deref for Values {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        part(&self.digits, ..self.length)
    }
}

/// The digits of a range, as numbers, without separators.
pub(super) fn values(text: &str, range: &Range<usize>) -> Values {
    let mut values = Values { digits: [0; MOST_DIGITS], length: 0 };
    let bytes = part_of(text, range.clone()).bytes();
    for (slot, byte) in values.digits.iter_mut().zip(bytes.filter(u8::is_ascii_digit)) {
        *slot = byte - b'0';
        values.length += 1;
    }
    values
}

/// Returns true if the range stands alone: no letter, digit or underscore touches it, nor does a decimal
/// point with a digit beyond it, so that it is not part of an identifier or a fraction.
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

/// Neighbouring groups that are tied by one and the same separator.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tied {
    groups: [Group; MOST_GROUPS],
    length: usize,
}

impl Tied {
    /// Up to `most` groups from `first` on. Looking no further keeps the walk over all groups linear.
    pub(super) fn from(text: &str, first: Group, most: usize) -> Self {
        let mut tied = Self { groups: [Group::default(); MOST_GROUPS], length: 0 };
        let separator = first.tied_after(text).and_then(|group| group.tie);
        let mut next = Some(first);
        for slot in tied.groups.iter_mut().take(most) {
            let Some(group) = next else { break };
            *slot = group;
            tied.length += 1;
            next = group.tied_after(text).filter(|group| group.tie == separator);
        }
        tied
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Group] {
        self.groups.get(..self.length).invariant("groups are counted as they are added")
    }

    /// The runs from the first group on, the longest first.
    pub(super) fn runs(&self) -> impl Iterator<Item = &[Group]> {
        (1..=self.length).rev().filter_map(|length| self.groups.get(..length))
    }
}

/// The bytes from the first group's start to the last group's end.
pub(super) fn span(groups: &[Group]) -> Range<usize> {
    let start = groups.first().map_or(0, |group| group.start);
    start..groups.last().map_or(start, |group| group.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_and_ties_groups() {
        let ties: Vec<_> = groups("12 34-56  78.90").map(|g| (g.start..g.end, g.tie)).collect();
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
        let first = groups("1 2 3-4").next().unwrap();
        let lengths = |most| -> Vec<_> { Tied::from("1 2 3-4", first, most).runs().map(<[Group]>::len).collect() };
        assert_eq!(lengths(5), [3, 2, 1]);
        assert_eq!(lengths(2), [2, 1]);
    }
}
