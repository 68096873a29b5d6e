//! Messages of a conversation with a model.

use crate::ModelProtocol;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelMessage {
    /// The author.
    pub role: MessageRole,
    /// The content, in order.
    pub parts: Vec<MessagePart>,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// The compiled context.
    System,
    /// The runtime, on behalf of the user; results of tools too.
    User,
    /// The model.
    Assistant,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum MessagePart {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image among the attachments of the call.
    Image {
        /// Plain SHA-256 of its bytes.
        #[schemars(with = "String")]
        sha256: ContentHash,
    },
    /// A call of a tool, as the model asked for it.
    ToolCall {
        /// The id that its result refers to.
        id: String,
        /// The tool.
        name: String,
        /// The arguments.
        arguments: Value,
        /// The signature that the provider wants back with it, unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// The result of a call.
    ToolResult {
        /// The id of the call.
        id: String,
        /// The tool.
        name: String,
        /// The result, as text.
        text: String,
        /// True if the tool failed.
        #[serde(default)]
        is_error: bool,
    },
    /// A block of thinking. It is sent back only over the protocol that it came from, unchanged.
    Thinking {
        /// The protocol that it came from.
        protocol: ModelProtocol,
        /// The text that may be read; empty where the provider conceals it.
        text: String,
        /// The block as it came, with its signature; null where there is nothing to send back.
        #[serde(default)]
        block: Value,
    },
}
