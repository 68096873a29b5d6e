//! Lowercase hex digits, written without the heap.

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

/// The two digits of a byte.
pub(crate) fn pair(byte: u8) -> [u8; 2] {
    // The table has an entry for every byte; the compiler sees it and drops the fallback.
    PAIRS.get(usize::from(byte)).copied().unwrap_or_default()
}

/// A short text of known length, such as `sha256:` and 64 digits, on the stack.
pub(crate) struct HexText<const N: usize>([u8; N]);

impl<const N: usize> HexText<N> {
    /// `name`, then the digits of as many bytes as there is room for.
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let mut text = [b'0'; N];
        for (slot, letter) in text.iter_mut().zip(name.bytes()) {
            *slot = letter;
        }
        let digits = text.get_mut(name.len()..).unwrap_or_default();
        for (slot, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
            *slot = pair(*byte);
        }
        Self(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        // The name is text and the digits are ASCII, so the fallback is never taken.
        std::str::from_utf8(&self.0).unwrap_or_default()
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
