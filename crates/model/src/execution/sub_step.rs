//! Executions of a step's program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One execution of a step's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubStep {
    /// Its place among all executions of the step in this run, from 1.
    pub sequence: u64,
    /// The step's instruction.
    pub label: String,
    /// The language, or `adapter`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The executed program: the plain SHA-256 of the code, under which its text is stored, or the adapter's id.
    pub code: String,
    /// The exit code; `None` for code that runs in this process, and for processes that were killed or stopped.
    pub exit_code: Option<i32>,
    /// Wall-clock milliseconds.
    pub duration_ms: u64,
    /// True if it ran to its end without an error. Its outputs are checked separately.
    pub ok: bool,
}
