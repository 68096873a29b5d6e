//! Token counts, cached if the caller supplies a cache.

use crate::stages::Cx;
use deed_canon::ContentHash;

/// Counts the tokens of a text that is not static.
pub(crate) fn count(cx: Cx<'_>, text: &str, hash: &ContentHash) -> u64 {
    let tokenizer = &*cx.pack.tokenizer;
    let Some(counts) = cx.counts.filter(|counts| counts.tokenizer() == tokenizer.id()) else {
        return tokenizer.count(text);
    };
    if let Some(known) = counts.get(hash) {
        return known;
    }
    let tokens = tokenizer.count(text);
    counts.put(*hash, tokens);
    tokens
}
