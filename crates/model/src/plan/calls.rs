//! Calls that code makes while it runs, and that a person has to approve.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Calls of a tool that wait for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallGate {
    /// The tool.
    pub tool: String,
    /// What is asked.
    #[schemars(length(min = 1))]
    pub question: String,
    /// Who may answer.
    pub approver_role: String,
    /// Which calls: strict JsonLogic over `arguments`; all if it is left out. One that errs holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Value>,
}
