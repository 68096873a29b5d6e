//! A call of a model, as a value.

use crate::{ModelConsumer, ModelId, ModelMessage, ModelParameters, ModelTool, ReplyContract, ToolChoice};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A call of a model, complete before it is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelCall {
    /// The consumer that asks.
    pub consumer_key: ModelConsumer,
    /// The model.
    pub model: ModelId,
    /// The hash of the compiled context that the messages come from; none for calls without a pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub compiled_context_hash: Option<ContentHash>,
    /// The messages, in order.
    pub messages: Vec<ModelMessage>,
    /// The number of first messages that are the same from call to call. Providers with a prompt cache get a marker
    /// behind them.
    #[serde(default)]
    pub stable_messages: usize,
    /// The tools that the model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ModelTool>,
    /// The freedom that it has to call them.
    #[serde(default)]
    pub tool_choice: ToolChoice,
    /// The form that the reply must have.
    #[serde(default)]
    pub output: ReplyContract,
    /// The parameters.
    pub parameters: ModelParameters,
    /// The attachments that messages refer to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<ModelAttachment>,
}

/// An attachment. Its bytes are stored elsewhere, under their hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelAttachment {
    /// Plain SHA-256 of its bytes.
    #[schemars(with = "String")]
    pub sha256: ContentHash,
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The identity of a call: what was asked, and how often that was asked before. Its typed hash is the key of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelCallKey {
    /// The typed hash of the call.
    #[schemars(with = "String")]
    pub call: ContentHash,
    /// The number of earlier calls of the same value, from 0.
    pub occurrence: u64,
}
