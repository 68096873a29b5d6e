//! Token counts: exact if the tokenizer is public, an estimate otherwise.

mod ascii;
mod bpe;
mod bytes;
mod counts;
mod memo;
mod reconcile;

pub use counts::{CountCache, SharedCounts};
pub use reconcile::reconcile;

use std::fmt;
use std::sync::Arc;

/// A tokenizer. Implementations are pure: the same text has the same count.
pub trait Tokenizer: Send + Sync + fmt::Debug {
    /// Returns the name that the ledger records.
    fn id(&self) -> &str;
    /// Returns false for an estimate.
    fn exact(&self) -> bool;
    /// Counts the tokens of a text.
    fn count(&self, text: &str) -> u64;
}

/// The tokenizer of a run that names none.
pub const DEFAULT_TOKENIZER: &str = "o200k_base";

/// Returns the tokenizer with a name: `o200k_base`, `cl100k_base`, or `bytes/<n>` for an estimate of `n` bytes per
/// token (one decimal, from 1 to 16).
pub fn tokenizer(id: &str) -> Option<Arc<dyn Tokenizer>> {
    match id {
        "o200k_base" => Some(Arc::new(bpe::Bpe::O200k)),
        "cl100k_base" => Some(Arc::new(bpe::Bpe::Cl100k)),
        _ => bytes::Bytes::named(id).map(|t| Arc::new(t) as Arc<dyn Tokenizer>),
    }
}

#[cfg(test)]
mod tests {
    use super::tokenizer;

    #[test]
    fn names_lead_to_tokenizers() {
        for id in ["o200k_base", "cl100k_base", "bytes/4", "bytes/3.5"] {
            assert_eq!(tokenizer(id).map(|t| t.id().to_owned()).as_deref(), Some(id));
        }
        for id in ["", "gpt-4", "bytes/", "bytes/0", "bytes/0.5", "bytes/17", "bytes/4.25", "bytes/04", "bytes/-1"] {
            assert!(tokenizer(id).is_none(), "{id}");
        }
    }

    #[test]
    fn counts_are_those_of_the_vocabularies() {
        // Numbers from the public tokenizers.
        let o200k = tokenizer("o200k_base").unwrap();
        let cl100k = tokenizer("cl100k_base").unwrap();
        assert_eq!((o200k.count("hello world"), cl100k.count("hello world")), (2, 2));
        assert_eq!((o200k.count(""), cl100k.count("")), (0, 0));
        assert!(o200k.exact() && cl100k.exact());
    }

    #[test]
    fn an_estimate_rounds_up() {
        let quarter = tokenizer("bytes/4").unwrap();
        assert_eq!([0, 1, 4, 5].map(|n| quarter.count(&"x".repeat(n))), [0, 1, 1, 2]);
        let odd = tokenizer("bytes/3.5").unwrap();
        assert_eq!([7, 8].map(|n| odd.count(&"x".repeat(n))), [2, 3]);
        assert!(!odd.exact());
    }
}
