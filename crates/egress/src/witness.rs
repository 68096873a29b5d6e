//! The witness records what is decided and sent, pays for it, and serves earlier answers again.
//!
//! Its methods are plain functions that may block. They are called on the threads that the tokio runtime keeps for
//! blocking work (`spawn_blocking`), so that a slow journal never holds up other connections; the price is one hop
//! between threads for each call. For each request the order is:
//!
//! 1. Denied by the rules: `decided`, and no more.
//! 2. Otherwise `begin`. An earlier answer is served without anything being resolved, decided or sent again.
//! 3. On [`BeginOutcome::Go`] the name is resolved and `decided` is called with the result.
//! 4. `end` with the answer, once for each `Go`, before the client sees it.

use crate::effect::EffectIdentity;
use crate::error::FetchError;
use crate::stored::StoredResponse;
use deed_canon::ContentHash;
use deed_model::{EgressChannel, EgressDecision, EgressRepeat};
use serde::{Deserialize, Serialize};
use std::any::Any;
use thiserror::Error;

/// The witness, which records what is decided and sent.
pub trait Witness: Send + Sync {
    /// Records a decision. A stop keeps the request from being sent.
    fn decided(&self, decision: &EgressDecision) -> Result<(), Stop>;

    /// Records a decision against a request, with its reason in words.
    fn refused(&self, decision: &EgressDecision, _why: &str) -> Result<(), Stop> {
        self.decided(decision)
    }

    /// Begins a request that the rules allow, before it is sent.
    fn begin(&self, call: &Outgoing) -> Result<BeginOutcome, Stop>;

    /// Ends a request that was begun, with its answer or its error. A stop takes the place of the answer.
    fn end(&self, key: &str, answer: &Result<StoredResponse, FetchError>) -> Result<(), Stop>;

    /// Reports a panic in what served the attempt. Code in the sandbox sees a failed request at most, and could continue
    /// without it, so the attempt has to fail.
    fn broke(&self, panic: &(dyn Any + Send));
}

/// A request that is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outgoing {
    /// The channel.
    pub channel: EgressChannel,
    /// The method.
    pub method: String,
    /// The URL, exactly as it is sent.
    pub url: String,
    /// The hash of the headers that are passed on, in lowercase and sorted, without credential and key.
    pub headers_hash: ContentHash,
    /// The hash of the body.
    pub body_sha256: ContentHash,
    /// The identity of its effect; none if it has no canonical form.
    pub effect: Option<EffectIdentity>,
    /// The bytes of the request: method, URL, headers that are passed on, and body.
    pub bytes: u64,
    /// The rule that allows it; none if the run only learns.
    pub rule: Option<usize>,
    /// True if it may be sent again if its answer is lost.
    pub repeat: EgressRepeat,
}

impl Outgoing {
    /// Returns whether its method promises to change nothing.
    pub fn changes_nothing(&self) -> bool {
        changes_nothing(&self.method)
    }
}

pub(crate) fn changes_nothing(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS")
}

/// Counts the bytes of a fetch and its redirects: each request is metered before any of it leaves.
pub trait Meter: Send + Sync {
    /// Counts the bytes of a request before it leaves. A stop keeps it from being sent.
    fn leaving(&self, bytes: u64) -> Result<(), Stop>;

    /// Takes back the bytes of a request that did not leave.
    fn stayed(&self, bytes: u64);
}

/// The treatment of a request that is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginOutcome {
    /// It is sent. The key goes with it if its method changes something, and comes back in `end`.
    Go {
        /// The key.
        idempotency_key: String,
    },
    /// It was answered before, and gets the same answer.
    Replay(StoredResponse),
    /// It failed before, and fails in the same way.
    ReplayFailure(FetchError),
}

/// The reason why the witness stops a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[error("{message}")]
pub struct Stop {
    /// The kind of reason.
    pub class: StopClass,
    /// The reason, in words.
    pub message: String,
}

/// The kind of reason for a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopClass {
    /// A policy forbids it.
    Policy,
    /// A budget is spent.
    Budget,
    /// It was sent before, and its outcome is unknown.
    OutcomeUnknown,
    /// The run is cancelled.
    Cancelled,
    /// It waits for an approver.
    Waiting,
}
