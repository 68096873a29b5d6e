//! Text that does not depend on the request.

use crate::tokens::Tokenizer;
use deed_canon::ContentHash;

/// A text with its hash and its token count.
#[derive(Debug, Clone)]
pub(crate) struct StaticText {
    pub(crate) text: String,
    pub(crate) hash: ContentHash,
    pub(crate) tokens: u64,
}

impl StaticText {
    pub(crate) fn new(text: String, tokenizer: &dyn Tokenizer) -> Self {
        let tokens = tokenizer.count(&text);
        Self { hash: ContentHash::of_bytes(text.as_bytes()), text, tokens }
    }
}
