//! The tables of a vocabulary, and the search for a token's rank.

use deed_diag::Invariant;
use flate2::read::ZlibDecoder;
use std::io::Read;

include!("hash.rs");
include!("index.rs");

/// Tables as the build script wrote them: little-endian words, the lengths of all tokens, and their bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    pub(crate) bytes: &'static [u8],
    pub(crate) lengths: &'static [u8],
    pub(crate) blocks: &'static [u8],
    pub(crate) slots: &'static [u8],
}

impl Table {
    /// Makes the tables of a vocabulary of so many tokens from their lengths and bytes, compressed. They stay for the life
    /// of the process.
    pub(crate) fn unpacked(packed: &[u8], tokens: usize) -> Self {
        let mut lengths = Vec::new();
        ZlibDecoder::new(packed).read_to_end(&mut lengths).invariant("the build script packed the vocabulary");
        let bytes = lengths.split_off(tokens.min(lengths.len()));
        let (blocks, slots) = index(&lengths, &bytes);
        Self { bytes: bytes.leak(), lengths: lengths.leak(), blocks: blocks.leak(), slots: slots.leak() }
    }

    /// The number of tokens.
    pub(crate) fn len(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// The bytes of a token; empty for a rank that no token has.
    pub(crate) fn token(&self, rank: u32) -> &'static [u8] {
        let at = rank as usize;
        let Some(length) = self.lengths.get(at) else { return &[] };
        let block = at / BLOCK;
        let before = self.lengths.get(block * BLOCK..at).unwrap_or(&[]);
        let Some(start) = word(self.blocks, block) else { return &[] };
        let start = start as usize + before.iter().map(|length| usize::from(*length)).sum::<usize>();
        self.bytes.get(start..start + usize::from(*length)).unwrap_or(&[])
    }

    /// The rank of a token; none for bytes that are not one.
    #[inline]
    pub(crate) fn rank(&self, bytes: &[u8]) -> Option<u32> {
        let hash = hash(bytes);
        let tag = tag(hash);
        let slots = self.slots.len() / 4;
        let mut at = first_slot(hash, slots);
        loop {
            // A third of the slots are empty, so the search ends.
            let slot = word(self.slots, at).filter(|slot| *slot != 0)?;
            if slot >> TOKEN_BITS == tag {
                let rank = (slot & ((1 << TOKEN_BITS) - 1)) - 1;
                if self.token(rank) == bytes {
                    return Some(rank);
                }
            }
            at = if at + 1 == slots { 0 } else { at + 1 };
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
