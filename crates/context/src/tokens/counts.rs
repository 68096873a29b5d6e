//! A cache of token counts, by the hash of the text.

use super::Tokenizer;
use deed_canon::ContentHash;
use std::collections::HashMap;
use std::sync::RwLock;

/// Counts of texts that recur, such as evidence that many requests share. The result of a compile is the same with or
/// without it.
pub trait CountCache: Send + Sync {
    /// Returns the tokenizer of these counts. A compile with another one ignores them.
    fn tokenizer(&self) -> &str;
    /// Returns the count of the text with this SHA-256, if it is known.
    fn get(&self, text: &ContentHash) -> Option<u64>;
    /// Stores a count.
    fn put(&self, text: ContentHash, tokens: u64);
}

/// The number of shards, each with its own lock.
const PARTS: usize = 64;
/// The maximum number of counts of a shard; a full one is emptied.
const MOST: usize = 1 << 14;

/// Counts in memory, shared between threads.
#[derive(Debug)]
pub struct SharedCounts {
    tokenizer: String,
    parts: Vec<RwLock<HashMap<ContentHash, u64>>>,
}

impl SharedCounts {
    /// Creates an empty cache.
    pub fn new(tokenizer: &dyn Tokenizer) -> Self {
        let parts = (0..PARTS).map(|_| RwLock::default()).collect();
        Self { tokenizer: tokenizer.id().to_owned(), parts }
    }

    fn part(&self, text: &ContentHash) -> Option<&RwLock<HashMap<ContentHash, u64>>> {
        let first = text.as_bytes().first().copied().unwrap_or_default();
        self.parts.get(usize::from(first) % PARTS)
    }
}

// A poisoned lock only means that a text is counted again.
impl CountCache for SharedCounts {
    fn tokenizer(&self) -> &str {
        &self.tokenizer
    }

    fn get(&self, text: &ContentHash) -> Option<u64> {
        self.part(text)?.read().ok()?.get(text).copied()
    }

    fn put(&self, text: ContentHash, tokens: u64) {
        let Some(Ok(mut part)) = self.part(&text).map(RwLock::write) else { return };
        if part.len() >= MOST {
            part.clear();
        }
        part.insert(text, tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokenizer;

    #[test]
    fn a_count_is_found_again() {
        let counts = SharedCounts::new(&*tokenizer("bytes/4").unwrap());
        let key = ContentHash::of_bytes(b"text");
        assert_eq!(counts.get(&key), None);
        counts.put(key, 1);
        assert_eq!((counts.get(&key), counts.tokenizer()), (Some(1), "bytes/4"));
    }
}
