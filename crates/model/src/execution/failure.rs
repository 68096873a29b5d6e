//! Why a step failed, in a form that a program can act on and a person can read.

use crate::plan::FailureClass;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFailure {
    /// The class, which decides what happens next.
    pub class: FailureClass,
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
