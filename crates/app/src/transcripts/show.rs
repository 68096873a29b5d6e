//! The calls of a transcript.

use super::read;
use crate::error::AppError;
use deed_canon::ContentHash;
use deed_model::{ModelConsumer, ModelId, ModelUsage, ReplyOrigin, StopReason};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// A transcript whose chain holds.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShownTranscript {
    /// The hash of its last line. Kept elsewhere, it shows that a transcript was not written anew.
    #[schemars(with = "Option<String>")]
    pub head: Option<ContentHash>,
    /// The calls, in order.
    pub calls: Vec<TranscriptCall>,
}

/// A call of a transcript.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TranscriptCall {
    /// The key of the call.
    #[schemars(with = "String")]
    pub key: ContentHash,
    /// The consumer that asked.
    pub consumer: ModelConsumer,
    /// The model.
    pub model: ModelId,
    /// The number of earlier calls of the same value.
    pub occurrence: u64,
    /// The origin of the reply.
    pub origin: ReplyOrigin,
    /// The reason why the reply ends.
    pub stop: StopReason,
    /// The tokens.
    pub usage: Option<ModelUsage>,
    /// The cost in millionths of the currency.
    pub cost_micros: Option<u64>,
    /// The text of the reply, without thinking.
    pub text: String,
}

/// Reads, verifies and lists a transcript.
///
/// # Errors
/// The file cannot be read, or is not a transcript as it was recorded.
pub fn show(path: &Path) -> Result<ShownTranscript, AppError> {
    let transcript = read(path)?;
    let calls = transcript.calls().iter().map(|recorded| TranscriptCall {
        key: recorded.key,
        consumer: recorded.call.consumer_key,
        model: recorded.call.model.clone(),
        occurrence: recorded.occurrence,
        origin: recorded.origin.clone(),
        stop: recorded.reply.stop,
        usage: recorded.reply.usage,
        cost_micros: recorded.cost.as_ref().map(|cost| cost.actual_micros),
        text: recorded.reply.text(),
    });
    Ok(ShownTranscript { head: transcript.head().map(|head| head.hash), calls: calls.collect() })
}
