//! The tokens that a reply used.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tokens that a reply used, as the provider reports them. No token is counted in two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelUsage {
    /// Tokens of the input that no cache held, without images where these are reported apart.
    pub input: u64,
    /// Tokens of the input that were read from the provider's cache.
    #[serde(default)]
    pub cached_read: u64,
    /// Tokens of the input that were written to the provider's cache.
    #[serde(default)]
    pub cached_write: u64,
    /// Tokens of images in the input, where the provider reports them apart.
    #[serde(default)]
    pub image: u64,
    /// Tokens of the reply without thinking.
    pub output: u64,
    /// Tokens of thinking, where the provider reports them apart.
    #[serde(default)]
    pub reasoning: u64,
}

impl ModelUsage {
    /// Returns all tokens, input and output.
    pub fn total(&self) -> u64 {
        [self.input, self.cached_read, self.cached_write, self.image, self.output, self.reasoning]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}
