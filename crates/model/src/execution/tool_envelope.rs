//! Tool envelopes: a call of a tool and its result in one form, whoever made it.

use super::bridge_error::BridgeErrorKind;
use super::call::EarlierCall;
use super::gate::GateDecision;
use crate::ApprovalMode;
use crate::plan::Budget;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format of tool envelopes.
pub const TOOL_ENVELOPE_FORMAT: &str = "deed/tool-envelope/v1";

/// A call of a tool, and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolEnvelope {
    /// `deed/tool-envelope/v1`.
    pub format: String,
    /// The call.
    pub call: ToolRequest,
    /// The result; none while the call is under way, and for one whose outcome is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ToolResult>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolRequest {
    /// Its id: the key of the call, derived from run, contract, tool, arguments and occurrence.
    pub call_id: String,
    /// The run.
    pub run_id: String,
    /// The step.
    pub step_id: String,
    /// The tool.
    pub tool_id: String,
    /// The hash of the canonical arguments.
    #[schemars(with = "String")]
    pub arguments_hash: ContentHash,
    /// The arguments, where an approver was shown them. Otherwise only their hash is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// The number of earlier calls of the same tool with the same arguments.
    pub occurrence: u64,
    /// The modes of the call; none in journals from before they were recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_modes: Option<ToolApprovalModes>,
    /// The decisions of approvers about this call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ToolApproval>,
    /// The budget that was reserved for it.
    pub reserved: Budget,
    /// True if it may be repeated when its answer is lost.
    pub repeatable: bool,
    /// The call of an earlier run that it repeats, or whose answer it reuses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<EarlierCall>,
    /// A one-line description.
    pub summary: String,
    /// The time at which it was recorded, in RFC 3339.
    pub requested_at: String,
}

/// The three modes of a call: declared at most, in effect, and allowed at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolApprovalModes {
    /// The most that the tool can do.
    pub declared_mode: ApprovalMode,
    /// The mode in effect for this call, at most the declared one.
    pub approval_mode: ApprovalMode,
    /// The ceiling of the caller: no tool above it is surfaced.
    pub safety_mode: ApprovalMode,
}

/// A decision of an approver about a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolApproval {
    /// The approval.
    pub approval_id: String,
    /// The gate.
    pub gate_id: String,
    /// The decision.
    pub decision: GateDecision,
    /// The role that decided.
    pub role: String,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolResult {
    /// The outcome.
    pub outcome: ToolOutcome,
    /// The budget that it spent.
    pub spent: Budget,
    /// The proof: digests of the request and the response.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub proof: Value,
    /// The time at which it was recorded, in RFC 3339.
    pub answered_at: String,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case", deny_unknown_fields)]
pub enum ToolOutcome {
    /// It gave a result.
    Ok {
        /// The result.
        value: Value,
    },
    /// It gave a result that is stored by its hash.
    Stored {
        /// Plain SHA-256 of the canonical bytes of the result.
        #[schemars(with = "String")]
        sha256: ContentHash,
    },
    /// It failed.
    Failed {
        /// The kind of error, for code to match on.
        kind: BridgeErrorKind,
        /// The message.
        message: String,
    },
}
