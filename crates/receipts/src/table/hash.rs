//! A hash of short texts: 64 bits, the same everywhere, and fast.
//!
//! It is not cryptographic. Equal texts have equal hashes, so a duplicate is never missed; two texts
//! that collide can only make a column look less unique than it is.

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd1b5_4a32_d192_ed03;
const THIRD: u64 = 0x8cb9_2ba7_2f3d_8dd7;

/// The hash of some bytes.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    let mut state = FIRST ^ (length as u64);
    let last = if length >= 8 {
        let (words, _) = bytes.as_chunks::<8>();
        for word in words {
            state = fold(state ^ u64::from_le_bytes(*word), SECOND);
        }
        // The last word overlaps the one before it, so that no byte needs a step of its own.
        bytes.last_chunk::<8>().map_or(0, |word| u64::from_le_bytes(*word))
    } else if length >= 4 {
        let low = bytes.first_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word));
        let high = bytes.last_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word));
        u64::from(low) | u64::from(high) << 32
    } else {
        let byte = |at: usize| bytes.get(at).map_or(0, |byte| u64::from(*byte));
        byte(0) | byte(length / 2) << 8 | byte(length.saturating_sub(1)) << 16
    };
    mix(state, last)
}

/// One hash of two.
#[inline]
pub(crate) fn mix(one: u64, other: u64) -> u64 {
    fold(fold(one ^ other.rotate_left(29), SECOND) ^ other, THIRD)
}

#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let wide = u128::from(one) * u128::from(other);
    (wide as u64) ^ ((wide >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn texts_of_every_length_differ() {
        let mut seen = HashSet::new();
        for length in 0..40 {
            for byte in [0, 1, b'a', 255] {
                assert!(seen.insert(hash(&vec![byte; length])) || length == 0, "{length} of {byte}");
            }
        }
        assert!((0..200_000_u32).all(|i| seen.insert(hash(i.to_string().as_bytes()))));
        assert!((0..200_000_u32).all(|i| seen.insert(hash(format!("row number {i} of many").as_bytes()))));
    }

    #[test]
    fn hashes_spread_evenly() {
        let mut buckets = [0_u32; 64];
        for i in 0..64_000_u32 {
            buckets[(hash(i.to_string().as_bytes()) >> 58) as usize] += 1;
        }
        assert!(buckets.iter().all(|count| (800..1200).contains(count)), "{buckets:?}");
    }
}
