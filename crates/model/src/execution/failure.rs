//! Step failures, for programs to act on and for people to read.

use crate::plan::FailureClass;
use crate::words::stored_as_text;
use deed_diag::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cause of a failure; repair decisions depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum FailureCause {
    /// The sandbox, or the program in it, was killed by a signal that the sandbox did not send.
    #[serde(rename = "SANDBOX_SESSION_DEAD")]
    SandboxSessionDead,
    /// The infrastructure of the sandbox failed: staging, or the store behind it.
    #[serde(rename = "SANDBOX_TRANSPORT_5XX")]
    SandboxTransport5xx,
    /// The sandbox could not be started.
    #[serde(rename = "READINESS_PROBE")]
    ReadinessProbe,
    /// The state that an execution was to resume from is missing or was altered.
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
    /// Contracts or stored formats are incompatible.
    #[serde(rename = "SCHEMA_MISMATCH")]
    SchemaMismatch,
}

impl FailureCause {
    /// Returns true if a retry under the same contract may succeed.
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

    /// Returns the cause's name in documents.
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

/// The diagnostic code of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureCode {
    /// A code of this version.
    Known(Code),
    /// A code of another version, as it was written.
    Other(String),
}

impl FailureCode {
    /// Returns the code as it is written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(code) => code.as_str(),
            Self::Other(code) => code,
        }
    }
}

impl From<Code> for FailureCode {
    fn from(code: Code) -> Self {
        Self::Known(code)
    }
}

impl From<&str> for FailureCode {
    fn from(text: &str) -> Self {
        // A code in other letters would be written back differently, and is therefore not known.
        let known = Code::parse(text).filter(|code| code.as_str() == text);
        known.map_or_else(|| Self::Other(text.to_owned()), Self::Known)
    }
}

impl PartialEq<Code> for FailureCode {
    fn eq(&self, code: &Code) -> bool {
        *self == Self::Known(*code)
    }
}

stored_as_text!(FailureCode);

/// The failure of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFailure {
    /// The class, which decides how the failure is handled.
    pub class: FailureClass,
    /// The causes, the first one first; `MAX_RETRIES_REACHED` is appended after the last retry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<FailureCause>,
    /// The diagnostic code.
    pub code: FailureCode,
    /// The message.
    pub message: String,
    /// Help: how to fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The file, tool or host that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The end of the code's output, if it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::FailureCode;
    use deed_diag::codes;

    #[test]
    fn codes_of_other_versions_are_kept_as_they_were_written() {
        let known = [codes::CODE_FAILED, codes::OUTCOME_UNKNOWN].map(FailureCode::from);
        crate::words::check_round_trip(&known, |code| matches!(code, FailureCode::Other(_)));
        for other in ["D9999", "d2030", ""] {
            let read: FailureCode = serde_json::from_value(other.into()).unwrap();
            assert_eq!(read, FailureCode::Other(other.to_owned()));
            assert_eq!(serde_json::to_value(&read).unwrap(), other);
        }
        assert_eq!(FailureCode::from("D2030"), codes::CODE_FAILED);
    }
}
