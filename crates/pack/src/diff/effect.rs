//! The effect of a change on what is enforced.

use serde::Serialize;
use std::fmt;

/// The effect of a change on what the pack enforces, least first. A version number does not alter it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeEffect {
    /// Nothing that is enforced changes.
    None,
    /// Less is allowed than before, and that is proven.
    Tightens,
    /// Less or the same is allowed, and a model reads another text.
    PromptText,
    /// It is not proven that no more is allowed than before.
    Unproven,
}

impl ChangeEffect {
    /// Returns the effect's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Tightens => "tightens",
            Self::PromptText => "prompt_text",
            Self::Unproven => "unproven",
        }
    }
}

impl fmt::Display for ChangeEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
