//! Text that does not depend on the request.

use crate::text::cleaned;
use crate::tokens::Tokenizer;
use deed_canon::ContentHash;

/// A text of the pack with its hash and its token count. Nothing hides in it: lint refuses such a pack, and a folder
/// is compiled without lint.
#[derive(Debug, Clone)]
pub(crate) struct StaticText {
    pub(crate) text: String,
    pub(crate) hash: ContentHash,
    pub(crate) tokens: u64,
}

impl StaticText {
    pub(crate) fn new(text: String, tokenizer: &dyn Tokenizer) -> Self {
        let text = cleaned(text);
        let tokens = tokenizer.count(&text);
        Self { hash: ContentHash::of_bytes(text.as_bytes()), text, tokens }
    }
}
