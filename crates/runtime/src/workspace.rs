//! The workspace of a run: inputs that it supplies, and what the seal says of it.

use crate::state::RunState;
use deed_model::{ArtifactRecord, FrozenWorkspace, GateDecision, SealedApproval, SealedWorkspace};
use std::collections::BTreeMap;

/// Returns the inputs that a workspace supplies, by path. Their content is stored.
pub(crate) fn supplied(workspace: Option<&FrozenWorkspace>) -> BTreeMap<String, ArtifactRecord> {
    let inputs = workspace.into_iter().flat_map(|workspace| &workspace.inputs);
    let record = |input: &deed_model::WorkspaceInput| {
        let record = ArtifactRecord { path: input.input.clone(), sha256: input.sha256, bytes: input.size_bytes };
        (input.input.clone(), record)
    };
    inputs.map(record).collect()
}

/// Returns what the seal of a run says of its workspace: its name, and the approvals that were used.
pub(crate) fn sealed(state: &RunState) -> Option<SealedWorkspace> {
    let workspace = state.request.as_ref()?.workspace.as_ref()?;
    let decided = state.gates.values().filter_map(|gate| gate.decided.as_ref()).map(|signed| &signed.approval);
    let used = decided
        .filter(|approval| approval.decision == GateDecision::Approved && state.used.contains(&approval.approval_id));
    let approval = |approval: &deed_model::Approval| SealedApproval {
        gate_id: approval.gate_id.clone(),
        approval_id: approval.approval_id.clone(),
        approver: approval.approver.clone(),
        role: approval.role.clone(),
        authority: approval.authority,
    };
    Some(SealedWorkspace { workspace: workspace.workspace.clone(), approvals: used.map(approval).collect() })
}
