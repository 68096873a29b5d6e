//! Parts of a text, sets of bytes, and long runs of them.

use std::slice::SliceIndex;

use deed_canon::Invariant;

/// A part of a text that is known to lie within it. Nothing in its place would be nothing found.
#[inline]
pub(crate) fn part<R: SliceIndex<[u8], Output = [u8]>>(bytes: &[u8], range: R) -> &[u8] {
    bytes.get(range).invariant("a part lies within its text")
}

/// As [`part`], between characters.
#[inline]
pub(crate) fn part_of<R: SliceIndex<str, Output = str>>(text: &str, range: R) -> &str {
    text.get(range).invariant("a part lies within its text, between characters")
}

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    /// The empty set.
    pub(crate) const EMPTY: Self = Self([0; 4]);

    /// The set of all bytes for which the predicate holds.
    pub(crate) fn of(holds: impl Fn(u8) -> bool) -> Self {
        (0..=u8::MAX).filter(|byte| holds(*byte)).fold(Self::EMPTY, Self::with)
    }

    /// The set with one byte more.
    pub(crate) fn with(mut self, byte: u8) -> Self {
        if let Some(word) = self.0.get_mut(usize::from(byte >> 6)) {
            *word |= 1 << (byte & 63);
        }
        self
    }

    /// Returns true if the byte is in the set.
    #[inline]
    pub(crate) fn has(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte >> 6)).is_some_and(|word| word >> (byte & 63) & 1 == 1)
    }

    /// The bytes of the set, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(|byte| self.has(*byte))
    }

    /// Returns true if so many bytes of the set stand in a row.
    ///
    /// Only the last byte of a stretch is looked at first: where it is not in the set, the whole stretch
    /// is passed over.
    pub(crate) fn has_run(&self, bytes: &[u8], least: usize) -> bool {
        let mut rest = bytes;
        while let Some(stretch) = rest.get(..least) {
            let Some(gap) = stretch.iter().rposition(|byte| !self.has(*byte)) else {
                return true;
            };
            rest = part(rest, gap + 1..);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_runs_of_at_least_the_length() {
        let digits = ByteSet::of(|b| b.is_ascii_digit());
        assert!(digits.has_run(b"a1234b", 4));
        assert!(!digits.has_run(b"a1234b", 5));
        assert!(digits.has_run(b"12 123 1234", 4));
        assert!(!digits.has_run(b"12 123 123", 4));
        assert!(digits.has_run(b"", 0));
        assert!(!digits.has_run(b"", 1));
    }
}
