//! Why a step failed, in a form that a program can act on and a person can read.

use crate::plan::FailureClass;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cause of a failure, in the words that repair decisions are made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum FailureCause {
    /// The sandbox, or the program in it, was killed by a signal that the sandbox did not send.
    #[serde(rename = "SANDBOX_SESSION_DEAD")]
    SandboxSessionDead,
    /// What serves the sandbox failed: staging, or the store behind it.
    #[serde(rename = "SANDBOX_TRANSPORT_5XX")]
    SandboxTransport5xx,
    /// The sandbox could not be started.
    #[serde(rename = "READINESS_PROBE")]
    ReadinessProbe,
    /// What an execution was to continue from is missing or was altered.
    #[serde(rename = "STALE_CONTINUATION")]
    StaleContinuation,
    /// The step was retried as often as its contract allows.
    #[serde(rename = "MAX_RETRIES_REACHED")]
    MaxRetriesReached,
    /// The contract, a policy or an approver does not allow it.
    #[serde(rename = "POLICY_BLOCKED")]
    PolicyBlocked,
    /// The program failed by itself; the same code fails again.
    #[serde(rename = "DETERMINISTIC_CODE_ERROR")]
    DeterministicCodeError,
    /// Contracts or stored forms do not fit together.
    #[serde(rename = "SCHEMA_MISMATCH")]
    SchemaMismatch,
}

impl FailureCause {
    /// Returns whether a fresh attempt under the same contract may be spared it.
    pub fn is_retryable(self) -> bool {
        match self {
            Self::SandboxSessionDead | Self::SandboxTransport5xx | Self::ReadinessProbe | Self::StaleContinuation => {
                true
            }
            Self::MaxRetriesReached | Self::PolicyBlocked | Self::DeterministicCodeError | Self::SchemaMismatch => {
                false
            }
        }
    }

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SandboxSessionDead => "SANDBOX_SESSION_DEAD",
            Self::SandboxTransport5xx => "SANDBOX_TRANSPORT_5XX",
            Self::ReadinessProbe => "READINESS_PROBE",
            Self::StaleContinuation => "STALE_CONTINUATION",
            Self::MaxRetriesReached => "MAX_RETRIES_REACHED",
            Self::PolicyBlocked => "POLICY_BLOCKED",
            Self::DeterministicCodeError => "DETERMINISTIC_CODE_ERROR",
            Self::SchemaMismatch => "SCHEMA_MISMATCH",
        }
    }
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFailure {
    /// The class, which decides what happens next.
    pub class: FailureClass,
    /// The causes, the first one first; `MAX_RETRIES_REACHED` is added to what was retried in vain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<FailureCause>,
    /// The code, which `deed explain` knows.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What can be done about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The file, tool or host it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The end of what the code printed, where it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
}
