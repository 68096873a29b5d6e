//! The public vocabularies.

use super::Tokenizer;
use super::ascii::Pieces;
use super::memo::{MEMOS, Memo};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// A vocabulary. The crate behind it embeds the data; it is loaded once, at the first count.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bpe {
    O200k,
    Cl100k,
}

/// A tokenizer with its tokens at hand: most words are a token, and then there is nothing to merge.
struct Vocabulary {
    tokenizer: &'static bpe_openai::Tokenizer,
    tokens: HashSet<&'static [u8], BuildHasherDefault<Words>>,
}

static O200K: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(bpe_openai::o200k_base()));
static CL100K: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(bpe_openai::cl100k_base()));

impl Vocabulary {
    fn of(tokenizer: &'static bpe_openai::Tokenizer) -> Self {
        let all = u32::try_from(tokenizer.bpe.num_tokens()).unwrap_or(u32::MAX);
        Self { tokenizer, tokens: (0..all).map(|token| tokenizer.bpe.token_bytes(token)).collect() }
    }

    /// The count of a text by its pieces, with what this thread remembers of them.
    fn count(&self, text: &str, memo: &mut Memo) -> u64 {
        let one = |piece: &[u8], memo: &mut Memo| memo.count(piece, |piece| self.count_piece(piece));
        self.tokenizer.split(text).map(|piece| one(piece.as_bytes(), memo)).sum()
    }

    /// The same for `o200k_base`, whose pieces are quickly found where the text is ASCII.
    fn count_o200k(&self, text: &str, memo: &mut Memo) -> u64 {
        match Pieces::of(text) {
            Some(pieces) => pieces.map(|piece| memo.count(piece, |piece| self.count_piece(piece))).sum(),
            None => self.count(text, memo),
        }
    }

    fn count_piece(&self, piece: &[u8]) -> u64 {
        if self.tokens.contains(piece) { 1 } else { self.tokenizer.bpe.count(piece) as u64 }
    }
}

impl Tokenizer for Bpe {
    fn id(&self) -> &str {
        match self {
            Self::O200k => "o200k_base",
            Self::Cl100k => "cl100k_base",
        }
    }

    fn exact(&self) -> bool {
        true
    }

    fn count(&self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        MEMOS.with(|memos| match self {
            Self::O200k => O200K.count_o200k(text, &mut memos.o200k.borrow_mut()),
            Self::Cl100k => CL100K.count(text, &mut memos.cl100k.borrow_mut()),
        })
    }
}

/// A hash for short words, eight bytes at a time. The set is built from a fixed vocabulary, so nobody can choose keys
/// that collide.
#[derive(Default)]
struct Words(u64);

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            for (slot, byte) in word.iter_mut().zip(chunk) {
                *slot = *byte;
            }
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, length: usize) {
        self.write_u64(length as u64);
    }

    fn finish(&self) -> u64 {
        // The high bits are the well-mixed ones, and the set looks at the low ones too.
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_token_that_is_a_word_counts_one() {
        for vocabulary in [&*O200K, &*CL100K] {
            let tokens = vocabulary.tokens.iter().filter_map(|token| std::str::from_utf8(token).ok());
            let words = tokens.filter(|token| vocabulary.tokenizer.split(token).count() == 1);
            let differing = words.filter(|word| vocabulary.tokenizer.count(*word) != 1).count();
            assert_eq!(differing, 0);
        }
    }

    proptest! {
        #[test]
        fn the_short_way_counts_the_same(text in "\\PC{0,200}|([a-z]{1,12} ?|[0-9]{1,5}|[ \\n.,]){0,60}") {
            prop_assert_eq!(Bpe::O200k.count(&text), bpe_openai::o200k_base().count(text.as_str()) as u64);
            prop_assert_eq!(Bpe::Cl100k.count(&text), bpe_openai::cl100k_base().count(text.as_str()) as u64);
        }
    }
}
