// The hash of a token, for the build script that places tokens and for the search that finds them.

/// The number of low bits of a slot that hold a token and one; the high bits hold a part of the hash.
const TOKEN_BITS: u32 = 18;

/// The tokens of a block. The place of each block is kept, and within one the lengths of its tokens lead to a token.
const BLOCK: usize = 16;

/// Hashes bytes, eight at a time. The vocabulary is fixed, so no input can be chosen to make its tokens collide.
fn hash(bytes: &[u8]) -> u64 {
    let mut state = (bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    for (slot, byte) in last.iter_mut().zip(rest) {
        *slot = *byte;
    }
    for word in words.iter().chain([&last]) {
        state = (state.rotate_left(29) ^ u64::from_le_bytes(*word)).wrapping_mul(0xd1b5_4a32_d192_ed03);
        state ^= state >> 32;
    }
    state
}

/// The part of a hash that is kept in a slot.
fn tag(hash: u64) -> u32 {
    (hash >> 40) as u32 & ((1 << (32 - TOKEN_BITS)) - 1)
}

/// The slot at which the search for a hash begins.
fn first_slot(hash: u64, slots: usize) -> usize {
    (((hash & 0xffff_ffff) * slots as u64) >> 32) as usize
}
