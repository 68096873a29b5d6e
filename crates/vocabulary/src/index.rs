// The index of a vocabulary; shared with the build script.

/// Returns where every block of tokens begins, and a hash table of ranks, both as little-endian words.
fn index(lengths: &[u8], bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut blocks = Vec::new();
    // Two thirds full, so that a search for bytes that are not a token ends soon.
    let mut slots = vec![0_u32; lengths.len() * 3 / 2];
    let mut rest = bytes;
    for (rank, length) in lengths.iter().enumerate() {
        if rank % BLOCK == 0 {
            blocks.push((bytes.len() - rest.len()) as u32);
        }
        let (token, after) = rest.split_at_checked(usize::from(*length)).unwrap_or((rest, &[]));
        rest = after;
        let hash = hash(token);
        let mut at = first_slot(hash, slots.len());
        loop {
            match slots.get_mut(at) {
                Some(slot) if *slot == 0 => {
                    *slot = tag(hash) << TOKEN_BITS | (rank as u32 + 1);
                    break;
                }
                Some(_) => at += 1,
                None => at = 0,
            }
        }
    }
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    (words(&blocks), words(&slots))
}
