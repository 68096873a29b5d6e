//! Token counts, remembered where the caller has a place for them.

use crate::stages::Cx;
use deed_canon::ContentHash;

/// The count of a text that is not static.
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
