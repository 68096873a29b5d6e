//! The workspace of a run, as it was when the run was submitted.

use super::person::ApproverAuthority;
use super::settings::SecretSource;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The workspace of a run, frozen when the run was submitted. The people of the workspace are not frozen: whether an approver
/// holds a role is checked when a step goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenWorkspace {
    /// The name.
    pub workspace: String,
    /// The file versions that the run reads, by input.
    pub inputs: Vec<WorkspaceInput>,
    /// The secrets that its steps may send, by name, each with its source. Never a value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, SecretSource>,
}

/// A version of a file that a run reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceInput {
    /// The path in the run, such as `input/people/hours.csv`.
    pub input: String,
    /// The path in the workspace.
    pub path: String,
    /// The version.
    pub version: u64,
    /// Plain SHA-256 of its bytes.
    #[schemars(with = "String")]
    pub sha256: ContentHash,
    /// The size in bytes.
    pub size_bytes: u64,
}

/// The workspace of a run in its seal, with the approvals that were used in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SealedWorkspace {
    /// The name.
    pub workspace: String,
    /// The approvals that were used, by gate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<SealedApproval>,
}

/// An approval that was used in a run of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SealedApproval {
    /// The gate.
    pub gate_id: String,
    /// The approval.
    pub approval_id: String,
    /// The approver.
    pub approver: String,
    /// The role in which they decided.
    pub role: String,
    /// Their authority: a workspace of one person is its own approver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<ApproverAuthority>,
}
