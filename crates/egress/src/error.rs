//! Errors of requests.

use crate::witness::Stop;
use deed_model::{EgressDecision, EgressRule, EgressVerdict};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason why a request has no answer. It never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FetchError {
    /// The rules deny it.
    #[error("{message}")]
    Denied {
        /// The decision.
        decision: Box<EgressDecision>,
        /// The reason, in words.
        message: String,
        /// The smallest rule that would allow it, where a rule could.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        needed: Option<Box<EgressRule>>,
    },
    /// The witness stopped it.
    #[error("{0}")]
    Stopped(Stop),
    /// The credential of the rule cannot be read or cannot be sent.
    #[error("{message}")]
    Credential {
        /// The reason, in words.
        message: String,
    },
    /// The address does not answer, or its certificate is not valid.
    #[error("`{host}` cannot be reached: {message}")]
    Unreachable {
        /// The host.
        host: String,
        /// The reason, in words.
        message: String,
    },
    /// It was sent, and the answer was lost or cannot be read.
    #[error("the answer was lost: {message}")]
    Lost {
        /// The reason, in words.
        message: String,
    },
    /// It was sent, and the answer took too long.
    #[error("no complete answer came within {seconds} seconds")]
    Late {
        /// The wait in seconds.
        seconds: u64,
    },
    /// It was sent, and its answer paused for too long.
    #[error("the answer paused for more than {ms} ms")]
    Stalled {
        /// The longest pause that is allowed, in milliseconds.
        ms: u64,
    },
    /// It was answered with more than may be read.
    #[error("the answer is longer than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// It was answered with a compression that was not asked for, in which a repeated secret could not be seen.
    #[error("the answer is compressed as `{encoding}`, so that a repeated secret could not be seen")]
    Encoded {
        /// The compression.
        encoding: String,
    },
    /// There were more redirects than the limit.
    #[error("more than {limit} redirects")]
    TooManyRedirects {
        /// The limit.
        limit: usize,
    },
    /// The code that asked was stopped.
    #[error("the request was cut off, since its code was stopped")]
    Cut,
    /// The gateway panicked.
    #[error("the gateway broke while the request was under way")]
    Broken,
}

impl FetchError {
    /// Returns whether the request may have left this machine.
    pub fn sent(&self) -> bool {
        match self {
            Self::Denied { .. } | Self::Stopped(_) | Self::Credential { .. } | Self::Unreachable { .. } => false,
            Self::TooManyRedirects { .. } => false,
            Self::Lost { .. } | Self::Late { .. } | Self::TooLarge { .. } | Self::Encoded { .. } => true,
            Self::Cut | Self::Broken | Self::Stalled { .. } => true,
        }
    }

    /// Returns a stable code for it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Denied { decision, .. } => verdict_code(decision.verdict),
            Self::Stopped(stop) => stop_code(stop),
            Self::Credential { .. } => "credential",
            Self::Unreachable { .. } => "unreachable",
            Self::Lost { .. } => "lost",
            Self::Late { .. } => "late",
            Self::Stalled { .. } => "stalled",
            Self::TooLarge { .. } => "too_large",
            Self::Encoded { .. } => "encoded",
            Self::TooManyRedirects { .. } => "too_many_redirects",
            Self::Cut => "cut",
            Self::Broken => "broken",
        }
    }
}

fn stop_code(stop: &Stop) -> &'static str {
    use crate::witness::StopClass;
    match stop.class {
        StopClass::Policy => "policy",
        StopClass::Budget => "budget",
        StopClass::OutcomeUnknown => "outcome_unknown",
        StopClass::Cancelled => "cancelled",
        StopClass::Waiting => "waiting",
    }
}

/// Returns a stable code for a verdict.
pub(crate) fn verdict_code(verdict: EgressVerdict) -> &'static str {
    match verdict {
        EgressVerdict::Allowed => "allowed",
        EgressVerdict::Learned => "learned",
        EgressVerdict::HostNotListed => "host_not_listed",
        EgressVerdict::PathNotListed => "path_not_listed",
        EgressVerdict::MethodNotListed => "method_not_listed",
        EgressVerdict::PrivateAddress => "private_address",
        EgressVerdict::Unresolved => "unresolved",
        EgressVerdict::NamesDisagree => "names_disagree",
        EgressVerdict::Malformed => "malformed",
        EgressVerdict::OverBudget => "over_budget",
    }
}
