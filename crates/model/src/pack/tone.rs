//! The tone of final text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Communication style; policy takes precedence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ToneAndComms {
    /// Adjectives.
    #[serde(default)]
    pub voice_attributes: Vec<String>,
    /// Things to do.
    #[serde(rename = "do", default)]
    pub dos: Vec<String>,
    /// Things to avoid.
    #[serde(rename = "dont", default)]
    pub donts: Vec<String>,
    /// Text for the system part of the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system_blocks: Vec<PromptBlock>,
    /// Text for the developer part of the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub developer_blocks: Vec<PromptBlock>,
}

/// A piece of prompt text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PromptBlock {
    /// The kind of text.
    pub kind: String,
    /// The text.
    pub text: String,
    /// Higher comes first.
    #[serde(default)]
    pub priority: i64,
}
