//! Transcripts: recorded calls of models and their replies, as lines of a hash chain.

use crate::{ModelAttempt, ModelCall, ModelCost, ModelId, ModelReply};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The body of a line of a transcript. A line is a link of the chain: `seq`, `prev`, `body` and `hash`, as canonical JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum TranscriptLine {
    /// The first line.
    Head(TranscriptHead),
    /// A call and its reply.
    Call(Box<RecordedModelCall>),
    /// The last line.
    End(TranscriptEnd),
}

/// The first line of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptHead {
    /// The version of this format: 1.
    pub format: u32,
}

/// The last line of a transcript. Without it, lines may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptEnd {
    /// The number of calls.
    pub calls: u64,
}

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedModelCall {
    /// The key of the call: the typed hash of its value and its occurrence.
    #[schemars(with = "String")]
    pub key: ContentHash,
    /// The number of earlier calls of the same value, from 0.
    pub occurrence: u64,
    /// The origin of the reply.
    pub origin: ReplyOrigin,
    /// The call.
    pub call: ModelCall,
    /// The reply.
    pub reply: ModelReply,
    /// The attempts that were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<ModelAttempt>,
    /// The cost, where the model has a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<ModelCost>,
}

/// The origin of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplyOrigin {
    /// Recorded from a provider.
    RecordedFrom(ModelId),
    /// Written by hand.
    WrittenByHand,
}
