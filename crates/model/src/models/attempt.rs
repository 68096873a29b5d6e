//! Attempts to make a call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An attempt to make a call. Each is recorded before another one is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelAttempt {
    /// Its number, from 1.
    pub number: u32,
    /// Its outcome.
    pub outcome: AttemptOutcome,
    /// The HTTP status, if there was an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Its payment, as far as it is known.
    pub payment: AttemptPayment,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The wait after it, in milliseconds; none if no other attempt follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// There is a reply.
    Replied,
    /// The provider could not be reached.
    Unreachable,
    /// The egress rules or the journal kept it from leaving.
    Denied,
    /// The provider limits the rate (408, 429).
    RateLimited,
    /// The provider is overloaded or failed (5xx, 529).
    ServerFailed,
    /// The provider refused the request (other 4xx).
    Rejected,
    /// The answer broke off.
    Cut,
    /// The answer paused for too long.
    Idle,
    /// The answer did not end in time.
    Late,
    /// The answer cannot be used: a redirect, a page, broken text, too many bytes.
    Unusable,
}

/// The payment of an attempt, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptPayment {
    /// No: it did not leave, or the provider refused it.
    None,
    /// Perhaps: the reply was lost after the request had left. The reservation is kept.
    Possible,
    /// Yes.
    Paid,
}
