//! Wire protocols of providers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A wire protocol of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelProtocol {
    /// Anthropic Messages.
    AnthropicMessages,
    /// OpenAI Chat Completions, which many servers offer too.
    OpenaiChat,
    /// OpenAI Responses.
    OpenaiResponses,
    /// Gemini `generateContent`.
    Gemini,
    /// Ollama `/api/chat`.
    Ollama,
}

impl ModelProtocol {
    /// All protocols.
    pub const ALL: [Self; 5] =
        [Self::AnthropicMessages, Self::OpenaiChat, Self::OpenaiResponses, Self::Gemini, Self::Ollama];

    /// Returns the protocol's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AnthropicMessages => "anthropic_messages",
            Self::OpenaiChat => "openai_chat",
            Self::OpenaiResponses => "openai_responses",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }
}

impl fmt::Display for ModelProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
