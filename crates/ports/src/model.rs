//! Models: a call goes in, a reply or a named error comes out.

use deed_model::{ModelAttempt, ModelCall, ModelCost, ModelReply, ReplyOrigin};
use std::fmt;
use thiserror::Error;

/// A model, asked at a provider or read from a transcript.
pub trait Model: Send + Sync {
    /// Asks. `occurrence` is the number of earlier calls of the same value in this run, from 0.
    ///
    /// # Errors
    /// There is no reply. The attempts that were made are part of the error.
    fn ask(&self, call: &ModelCall, occurrence: u64) -> Result<ModelAnswer, ModelError>;
}

/// A reply, and how it was obtained.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAnswer {
    /// The reply.
    pub reply: ModelReply,
    /// Its origin.
    pub origin: ReplyOrigin,
    /// The attempts that were made, the last one successful; none for a reply from a transcript.
    pub attempts: Vec<ModelAttempt>,
    /// The cost, where the model has a price. For a reply from a transcript: what was paid when it was recorded.
    pub cost: Option<ModelCost>,
    /// The requests and responses as they were sent and received, one for each attempt that left.
    pub exchanges: Vec<RawExchange>,
}

/// A request and its response as bytes. The credential is not part of it. Debug output has the sizes of both.
#[derive(Clone, PartialEq, Eq)]
pub struct RawExchange {
    /// The URL.
    pub url: String,
    /// The body of the request.
    pub request: Vec<u8>,
    /// The status of the response, if one came.
    pub status: Option<u16>,
    /// The body of the response, as far as it came.
    pub response: Vec<u8>,
}

// The bodies hold whatever was asked and answered, so that a log names their sizes alone.
impl fmt::Debug for RawExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawExchange")
            .field("url", &self.url)
            .field("request", &format_args!("{} bytes", self.request.len()))
            .field("status", &self.status)
            .field("response", &format_args!("{} bytes", self.response.len()))
            .finish()
    }
}

/// An error of a model.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{message}")]
pub struct ModelError {
    /// The kind.
    pub kind: ModelErrorKind,
    /// The reason, in words. It never holds a secret.
    pub message: String,
    /// What was sent, received and paid for nevertheless.
    pub spent: Box<SpentCall>,
}

/// What a call without a reply sent, received and paid for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpentCall {
    /// The attempts that were made.
    pub attempts: Vec<ModelAttempt>,
    /// The cost of attempts that were, or may have been, paid for.
    pub cost: Option<ModelCost>,
    /// The requests and responses as they were sent and received.
    pub exchanges: Vec<RawExchange>,
}

impl ModelError {
    /// An error before anything was sent.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), spent: Box::default() }
    }
}

/// The kind of a [`ModelError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelErrorKind {
    /// The provider is unknown.
    UnknownProvider,
    /// The provider does not know the model.
    UnknownModel,
    /// There is no key for the provider.
    MissingKey,
    /// The provider refuses the key.
    RefusedKey,
    /// The call cannot be written for the provider, such as an image whose bytes are missing.
    Unencodable,
    /// The model has no price, and the run has a money budget.
    NoPrice,
    /// The budget does not hold the worst case.
    OverBudget,
    /// Egress rules or the journal kept the request from leaving.
    Denied,
    /// The provider cannot be reached.
    Unreachable,
    /// The provider refused the request.
    Rejected,
    /// The provider limits the rate, after all retries.
    RateLimited,
    /// The provider is overloaded or failed, after all retries.
    ServerFailed,
    /// The provider answered with a redirect.
    Redirected,
    /// The answer is a page and not JSON.
    NotJson,
    /// The answer did not end in time, or paused for too long.
    TimedOut,
    /// The answer broke off.
    Cut,
    /// The answer is not valid UTF-8.
    BadUtf8,
    /// The answer is too large.
    TooLarge,
    /// The answer does not follow the protocol.
    Malformed,
    /// Two calls of tools have the same id.
    RepeatedToolCallId,
    /// The usage is negative or contradicts itself.
    BadUsage,
    /// The usage is beyond what was reserved for the call.
    BeyondReservation,
    /// The attempt could not be recorded, so that no other one may follow.
    Unrecorded,
    /// The transcript has no reply for the call.
    NotInTranscript,
    /// No reply met the output contract.
    OutputNeverValid,
}

#[cfg(test)]
mod tests {
    use super::RawExchange;

    #[test]
    fn debug_output_names_the_sizes_of_bodies_alone() {
        let url = "https://models.acme.example/v1/chat".to_owned();
        let exchange =
            RawExchange { url, request: b"a question".to_vec(), status: Some(401), response: vec![0xff; 20_000] };
        let shown = format!("{exchange:?}");
        let expected = r#"RawExchange { url: "https://models.acme.example/v1/chat", request: 10 bytes, status: Some(401), response: 20000 bytes }"#;
        assert_eq!(shown, expected);
    }
}
