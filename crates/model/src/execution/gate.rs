//! Approval gates of a run, and the approvals that open them.

use super::artifact::ArtifactRecord;
use crate::ApproverAuthority;
use deed_canon::{ContentHash, Envelope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Everything that an approver is shown, and nothing else. Its hash is what is approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateSubject {
    /// The run.
    pub run_id: String,
    /// The gate: its name in the plan, or `call:` and the key of the call.
    pub gate_id: String,
    /// The question.
    pub question: String,
    /// The role that decides.
    pub approver_role: String,
    /// The contracts that continue when the gate opens, by step.
    pub contracts: Vec<ApprovedContract>,
    /// The call that waits, for a gate inside a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ApprovedCall>,
    /// The files that the decision is based on.
    pub evidence: Vec<ArtifactRecord>,
    /// The time at which the request expires, in RFC 3339.
    pub expires_at: String,
}

/// A contract that continues when a gate opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovedContract {
    /// The step.
    pub step: String,
    /// The step's instruction.
    pub label: String,
    /// Its effects beyond the workspace.
    pub effects: Vec<String>,
    /// The egress rules of its code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reaches: Vec<String>,
    /// The hash of its contract.
    #[schemars(with = "String")]
    pub contract_hash: ContentHash,
}

/// A call that waits for an approval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovedCall {
    /// The tool.
    pub tool: String,
    /// The hash of the tool's definition.
    #[schemars(with = "String")]
    pub tool_digest: ContentHash,
    /// The complete arguments.
    pub arguments: Value,
}

/// An approver's decision at a gate. It is valid once, for what was shown, until it expires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Its id, derived from all other fields.
    pub approval_id: String,
    /// The gate.
    pub gate_id: String,
    /// The hash of what the approver was shown.
    #[schemars(with = "String")]
    pub subject_hash: ContentHash,
    /// The decision.
    pub decision: GateDecision,
    /// The role that the approver claimed.
    pub role: String,
    /// The approver.
    pub approver: String,
    /// The authority of the approver, for a run of a workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<ApproverAuthority>,
    /// The event of the workspace's log since which the approver had this authority without a break.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub authority_since: Option<ContentHash>,
    /// The time of the decision, in RFC 3339.
    pub decided_at: String,
    /// The time at which it expires, in RFC 3339.
    pub expires_at: String,
    /// A comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The decision at a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateDecision {
    /// Approved.
    Approved,
    /// Rejected.
    Rejected,
}

impl GateDecision {
    /// Returns the decision's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }
}

/// A decision with its signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignedApproval {
    /// The decision.
    pub approval: Approval,
    /// The decision as a signed statement.
    #[schemars(with = "Value")]
    pub envelope: Envelope,
}
