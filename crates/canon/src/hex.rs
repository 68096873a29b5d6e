//! Lowercase hex digits, written without allocating.

use crate::invariant::Invariant as _;

#[allow(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut table = [[0u8; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    table
};

/// Returns the two digits of a byte.
pub(crate) fn pair(byte: u8) -> [u8; 2] {
    *PAIRS.get(usize::from(byte)).invariant("the table has an entry for every byte")
}

/// A short text of known length, such as `sha256:` and 64 digits, on the stack.
pub(crate) struct HexText<const N: usize>([u8; N]);

impl<const N: usize> HexText<N> {
    /// Writes `name`, then the digits of as many bytes as fit.
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let mut text = [b'0'; N];
        for (slot, letter) in text.iter_mut().zip(name.bytes()) {
            *slot = letter;
        }
        let digits = text.get_mut(name.len()..).invariant("the name fits");
        for (slot, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
            *slot = pair(*byte);
        }
        Self(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).invariant("a name and hex digits are text")
    }
}

pub(crate) fn unhex<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let lower = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if digits.len() != 2 * N || !digits.bytes().all(lower) {
        return None;
    }
    let mut out = [0u8; N];
    for (i, byte) in out.iter_mut().enumerate() {
        *byte = digits.get(2 * i..2 * i + 2).and_then(|d| u8::from_str_radix(d, 16).ok())?;
    }
    Some(out)
}
