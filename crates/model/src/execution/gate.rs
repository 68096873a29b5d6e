//! Gates that are waited at, and the approvals that open them.

use super::artifact::ArtifactRecord;
use deed_canon::{ContentHash, Envelope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a person is asked to approve: everything they are shown, and nothing else. Its hash is what is approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateSubject {
    /// The run.
    pub run_id: String,
    /// The gate: its name in the plan, or `call:` and the key of the call.
    pub gate_id: String,
    /// What is asked.
    pub question: String,
    /// Who may answer.
    pub approver_role: String,
    /// The contracts that go on when it opens, by step.
    pub contracts: Vec<ApprovedContract>,
    /// The call that waits, for a gate inside a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ApprovedCall>,
    /// The files that the decision rests on.
    pub evidence: Vec<ArtifactRecord>,
    /// When the question lapses, as RFC 3339.
    pub expires_at: String,
}

/// A contract that goes on when a gate opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovedContract {
    /// The step.
    pub step: String,
    /// What it does.
    pub label: String,
    /// What it does beyond the workspace.
    pub effects: Vec<String>,
    /// What its code may reach, by its rules.
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
    /// The arguments, whole.
    pub arguments: Value,
}

/// A decision at a gate. It holds once, for what was shown, until it expires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Its name, derived from all the rest.
    pub approval_id: String,
    /// The gate.
    pub gate_id: String,
    /// The hash of what was shown.
    #[schemars(with = "String")]
    pub subject_hash: ContentHash,
    /// What was decided.
    pub decision: GateDecision,
    /// The role that was claimed.
    pub role: String,
    /// Who decided.
    pub approver: String,
    /// When, as RFC 3339.
    pub decided_at: String,
    /// Until when it holds, as RFC 3339.
    pub expires_at: String,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What was decided at a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateDecision {
    /// It may go on.
    Approved,
    /// It may not.
    Rejected,
}

impl GateDecision {
    /// The word for it.
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
    /// The same as a signed statement.
    #[schemars(with = "Value")]
    pub envelope: Envelope,
}
