//! The transcript of tool calls that a recording has beside its inputs.

use super::call::{CallVerdict, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool call that was made under a compiled context, and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptEntry {
    /// The answer; none if the call was not made, or its answer was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// The call.
    pub call: ToolCall,
}

/// The decision about a call of a transcript, as it was when it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    /// `adapter.capability`.
    pub tool: String,
    /// The verdict.
    pub verdict: CallVerdict,
}
