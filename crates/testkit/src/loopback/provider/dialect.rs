//! The protocols that the server speaks.

use super::{ScriptedReply, anthropic, gemini, ollama, openai_chat, openai_responses};
use serde_json::Value;

/// A wire protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions.
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Gemini.
    Gemini,
    /// Ollama.
    Ollama,
}

impl Dialect {
    /// All protocols.
    pub const ALL: [Self; 5] = [Self::Anthropic, Self::Chat, Self::Responses, Self::Gemini, Self::Ollama];

    /// The reply as a whole.
    pub(super) fn whole(self, reply: &ScriptedReply) -> Value {
        match self {
            Self::Anthropic => anthropic::whole(reply),
            Self::Chat => openai_chat::whole(reply),
            Self::Responses => openai_responses::whole(reply),
            Self::Gemini => gemini::whole(reply),
            Self::Ollama => ollama::whole(reply),
        }
    }

    /// The reply as the parts of a stream.
    pub(super) fn stream(self, reply: &ScriptedReply) -> Vec<String> {
        match self {
            Self::Anthropic => anthropic::stream(reply),
            Self::Chat => openai_chat::stream(reply),
            Self::Responses => openai_responses::stream(reply),
            Self::Gemini => gemini::stream(reply),
            Self::Ollama => ollama::stream(reply),
        }
    }

    /// A part of a stream that says nothing.
    pub(super) fn nothing(self) -> &'static str {
        if self == Self::Ollama {
            "{\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":false}\n"
        } else {
            ": ping\n\n"
        }
    }

    /// The media type of a stream.
    pub(super) fn stream_type(self) -> &'static str {
        if self == Self::Ollama { "application/x-ndjson" } else { "text/event-stream" }
    }

    /// True if a request asks for a stream.
    pub(super) fn is_stream(self, target: &str, body: &Value) -> bool {
        if self == Self::Gemini { target.contains(":streamGenerateContent?alt=sse") } else { body["stream"] == true }
    }

    /// The part of a request that a server of the protocol would refuse.
    pub(super) fn objection(self, target: &str, headers: &[(String, String)], body: &Value) -> Option<&'static str> {
        let has = |name: &str| headers.iter().any(|(own, _)| own == name);
        let path = target.split('?').next().unwrap_or_default();
        let list = |key: &str| body[key].as_array().is_some_and(|list| !list.is_empty());
        match self {
            _ if !has("content-type") => Some("content-type"),
            Self::Anthropic if !path.ends_with("/v1/messages") => Some("path"),
            Self::Anthropic if !has("anthropic-version") => Some("anthropic-version"),
            Self::Anthropic if !body["max_tokens"].is_u64() || !list("messages") => Some("messages"),
            Self::Chat if !path.ends_with("/chat/completions") => Some("path"),
            Self::Chat if !list("messages") => Some("messages"),
            Self::Responses if !path.ends_with("/responses") => Some("path"),
            Self::Responses if !list("input") => Some("input"),
            Self::Gemini if !path.contains("/models/") => Some("path"),
            Self::Gemini if !list("contents") || body["model"].is_string() => Some("contents"),
            Self::Ollama if path != "/api/chat" => Some("path"),
            Self::Ollama if !list("messages") || !body["stream"].is_boolean() => Some("messages"),
            _ => None,
        }
    }
}
