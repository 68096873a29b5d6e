//! Calls of models that a run makes: on disk before they leave, and with their reply after.

use crate::models::{ModelAttempt, ModelCost, ModelId, ReplyOrigin};
use crate::plan::Budget;
use crate::{ModelConsumer, words::stored_words};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A call of a model that is about to be made. It is on disk before it leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelCallIntent {
    /// The step.
    pub step: String,
    /// The attempt of the step.
    pub attempt: u32,
    /// The key of the governed call that asks.
    pub call: String,
    /// The number of models that this governed call asked before in this attempt, from 0.
    pub ask: u32,
    /// The key of the call of the model: the typed hash of its value and its occurrence.
    #[schemars(with = "String")]
    pub key: ContentHash,
    /// The number of earlier calls of the same value in the run.
    pub occurrence: u64,
    /// The consumer.
    pub consumer_key: ModelConsumer,
    /// The model.
    pub model: ModelId,
    /// The blob with the call: plain SHA-256 of its canonical bytes.
    #[schemars(with = "String")]
    pub value: ContentHash,
    /// The blob with the compiled context that the call was made from.
    #[schemars(with = "String")]
    pub context: ContentHash,
    /// The budget that is reserved for it.
    pub reserved: Budget,
}

/// The end of a call of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelCallAnswer {
    /// The step.
    pub step: String,
    /// The key.
    #[schemars(with = "String")]
    pub key: ContentHash,
    /// The reply or the error.
    pub outcome: ModelCallOutcome,
    /// The attempts that were made; none for a reply from a transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<ModelAttempt>,
    /// The requests and responses as they were sent and received, one for each attempt that left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<StoredExchange>,
    /// The cost, where the model has a price. For a reply from a transcript: what was paid when it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<ModelCost>,
    /// The budget that it spent.
    pub spent: Budget,
}

/// The outcome of a call of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
pub enum ModelCallOutcome {
    /// A reply.
    Replied {
        /// The blob with the reply: plain SHA-256 of its canonical bytes.
        #[schemars(with = "String")]
        reply: ContentHash,
        /// Its origin.
        origin: ReplyOrigin,
        /// The source that it was read from.
        source: ReplySource,
    },
    /// An error.
    Failed {
        /// Its kind.
        kind: ModelFailureKind,
        /// The reason, in words.
        message: String,
    },
}

/// The source that a run read a reply from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplySource {
    /// The provider.
    Provider,
    /// A transcript: nothing was paid.
    Transcript,
}

/// A transcript that answered calls of models in place of providers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServedTranscript {
    /// The name of the file, without its folder.
    pub file: String,
    /// Plain SHA-256 of its bytes.
    #[schemars(with = "String")]
    pub sha256: ContentHash,
}

/// A request to a provider and its response, as blobs. The credential is not part of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredExchange {
    /// The URL.
    pub url: String,
    /// The blob with the body of the request.
    #[schemars(with = "String")]
    pub request: ContentHash,
    /// The status of the response, if one came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The blob with the body of the response, as far as it came.
    #[schemars(with = "String")]
    pub response: ContentHash,
}

stored_words! {
    /// The kind of a failed call of a model, as the journal keeps it.
    pub enum ModelFailureKind {
        /// The provider or the model is not known, or the call cannot be written for it.
        Unusable = "unusable",
        /// The key is missing or refused.
        Key = "key",
        /// The model has no price, and the run has a money budget.
        NoPrice = "no_price",
        /// The budget does not hold the worst case.
        OverBudget = "over_budget",
        /// Egress rules kept the request from leaving.
        Denied = "denied",
        /// The provider could not be reached, limited the rate, failed or did not answer in time.
        Unavailable = "unavailable",
        /// The provider refused the request.
        Rejected = "rejected",
        /// The answer cannot be used.
        BadAnswer = "bad_answer",
        /// The usage is beyond what was reserved.
        BeyondReservation = "beyond_reservation",
        /// The attempt could not be recorded.
        Unrecorded = "unrecorded",
        /// The transcript has no reply.
        NotInTranscript = "not_in_transcript",
        /// Processes ended twice while the call was under way.
        Lost = "lost",
    }
}

#[cfg(test)]
mod tests {
    use super::ModelFailureKind;

    #[test]
    fn unknown_kinds_are_kept_as_they_were_written() {
        crate::words::check_round_trip(ModelFailureKind::KNOWN, |kind| matches!(kind, ModelFailureKind::Other(_)));
    }
}
