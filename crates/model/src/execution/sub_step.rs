//! Executions of a step's program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One execution of a step's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubStep {
    /// Its place among all executions of the step in this run, from 1.
    pub sequence: u64,
    /// What the step does.
    pub label: String,
    /// The language, or `adapter`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was executed: the plain SHA-256 of the code, under which its text is stored, or the adapter's id.
    pub code: String,
    /// The exit code; none for what runs in this process, and for what was killed or stopped.
    pub exit_code: Option<i32>,
    /// Wall-clock milliseconds.
    pub duration_ms: u64,
    /// Whether it ran to its end without an error. What it wrote is judged apart from this.
    pub ok: bool,
}
