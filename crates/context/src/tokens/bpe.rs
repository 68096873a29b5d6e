//! The public vocabularies.

use super::Tokenizer;
use super::ascii::Pieces;
use super::memo::{MEMOS, Memo};
use deed_vocabulary::{Vocabulary, cl100k_base, o200k_base};

/// A public vocabulary. Its tables are part of the binary and are used in place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bpe {
    O200k,
    Cl100k,
}

/// Counts the tokens of a text by its pieces, with those that this thread has counted before.
fn count(vocabulary: &'static Vocabulary, text: &str, memo: &mut Memo) -> u64 {
    vocabulary.split(text).map(|piece| count_piece(vocabulary, piece.as_bytes(), memo)).sum()
}

/// Counts for `o200k_base`, whose pieces are found without its pattern if the text is ASCII.
fn count_o200k(text: &str, memo: &mut Memo) -> u64 {
    let vocabulary = o200k_base();
    match Pieces::of(text) {
        Some(pieces) => pieces.map(|piece| count_piece(vocabulary, piece, memo)).sum(),
        None => count(vocabulary, text, memo),
    }
}

fn count_piece(vocabulary: &'static Vocabulary, piece: &[u8], memo: &mut Memo) -> u64 {
    memo.count(piece, |piece| vocabulary.count_piece(piece) as u64)
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
            Self::O200k => count_o200k(text, &mut memos.o200k.borrow_mut()),
            Self::Cl100k => count(cl100k_base(), text, &mut memos.cl100k.borrow_mut()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_short_way_counts_the_same(text in "\\PC{0,200}|([a-z]{1,12} ?|[0-9]{1,5}|[ \\n.,]){0,60}") {
            prop_assert_eq!(Bpe::O200k.count(&text), o200k_base().count(&text) as u64);
            prop_assert_eq!(Bpe::Cl100k.count(&text), cl100k_base().count(&text) as u64);
        }
    }
}
