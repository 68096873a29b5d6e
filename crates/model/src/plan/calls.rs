//! Approval gates for calls that code makes while it runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A gate for calls of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallGate {
    /// The tool.
    pub tool: String,
    /// The question.
    #[schemars(length(min = 1))]
    pub question: String,
    /// The role that decides.
    pub approver_role: String,
    /// The condition: strict JsonLogic over `arguments`; all calls if it is left out. A condition that fails to
    /// evaluate counts as true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Value>,
}
