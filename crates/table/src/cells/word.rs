//! Eight bytes at once, as one number: which of them are below a space, and which are a certain byte.
//!
//! A mark is the highest bit of a byte. Marks are exact up to the first: bytes behind it may be marked without cause.

/// Bytes of a word. The first byte of the text is the lowest of the number.
pub(super) const BYTES: usize = 8;

const ONES: u64 = every(1);
const TOPS: u64 = every(0x80);

/// A byte, eight times.
pub(super) const fn every(byte: u8) -> u64 {
    u64::from_le_bytes([byte; BYTES])
}

/// Marks bytes below a space.
#[inline]
pub(super) fn below_space(word: u64) -> u64 {
    word.wrapping_sub(every(b' ')) & !word & TOPS
}

/// Marks bytes that are not ASCII, each with cause.
#[inline]
pub(super) fn beyond_ascii(word: u64) -> u64 {
    word & TOPS
}

/// All marks of the bytes before one.
#[inline]
pub(super) fn up_to(byte: usize) -> u64 {
    (1_u64 << (8 * byte)).wrapping_sub(1)
}

/// Marks bytes that are equal to those of another word.
#[inline]
pub(super) fn equal(word: u64, other: u64) -> u64 {
    let differs = word ^ other;
    differs.wrapping_sub(ONES) & !differs & TOPS
}

/// The first byte that is marked.
#[inline]
pub(super) fn first(marks: u64) -> Option<usize> {
    (marks != 0).then(|| marks.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mark_is_exact() {
        let bytes = [0, 1, b'\n', 31, b' ', b'!', b'"', b'#', b',', b'a', 127, 128, 160, 255];
        for (one, other, at) in bytes
            .iter()
            .flat_map(|one| bytes.iter().map(move |other| (*one, *other)))
            .flat_map(|(one, other)| (0..8).map(move |at| (one, other, at)))
        {
            let mut text = [one; BYTES];
            text[at] = other;
            let word = u64::from_le_bytes(text);
            assert_eq!(first(below_space(word)), text.iter().position(|byte| *byte < b' '), "{text:?}");
            assert_eq!(first(equal(word, every(other))), text.iter().position(|byte| *byte == other), "{text:?}");
        }
    }
}
