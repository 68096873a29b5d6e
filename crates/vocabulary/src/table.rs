//! The tables of a vocabulary, and the search for a token's rank.

include!("hash.rs");

/// Tables as the build script wrote them: little-endian words, and the bytes of all tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    pub(crate) bytes: &'static [u8],
    pub(crate) starts: &'static [u8],
    pub(crate) slots: &'static [u8],
}

impl Table {
    /// The number of tokens.
    pub(crate) fn len(&self) -> u32 {
        (self.starts.len() / 4).saturating_sub(1) as u32
    }

    /// The bytes of a token; empty for a rank that no token has.
    pub(crate) fn token(&self, rank: u32) -> &'static [u8] {
        let at = rank as usize;
        let (Some(start), Some(end)) = (word(self.starts, at), word(self.starts, at + 1)) else { return &[] };
        self.bytes.get(start as usize..end as usize).unwrap_or(&[])
    }

    /// The rank of a token; none for bytes that are not one.
    #[inline]
    pub(crate) fn rank(&self, bytes: &[u8]) -> Option<u32> {
        let hash = hash(bytes);
        let tag = tag(hash);
        let slots = self.slots.len() / 4;
        let mut at = hash as usize % slots.max(1);
        loop {
            // At least half of the slots are empty, so the search ends.
            let slot = word(self.slots, at).filter(|slot| *slot != 0)?;
            if slot >> TOKEN_BITS == tag {
                let rank = (slot & ((1 << TOKEN_BITS) - 1)) - 1;
                if self.token(rank) == bytes {
                    return Some(rank);
                }
            }
            at = (at + 1) % slots;
        }
    }
}

#[inline]
fn word(table: &[u8], at: usize) -> Option<u32> {
    let bytes = table.get(at * 4..at * 4 + 4)?;
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_token_has_its_rank() {
        for (vocabulary, count) in [(crate::o200k_base(), 199_998), (crate::cl100k_base(), 100_256)] {
            let table = &vocabulary.table;
            assert_eq!(table.len(), count);
            assert!((0..count).all(|rank| table.rank(table.token(rank)) == Some(rank)));
            assert_eq!((table.rank(b""), table.rank(b"no token at all"), table.token(count)), (None, None, &[][..]));
        }
    }
}
