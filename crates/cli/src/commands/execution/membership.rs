//! The workspace of a run in lines: the versions that it reads, and the approvals in it.

use crate::text::writeln;
use deed_model::{ApproverAuthority, GateDecision};
use deed_runtime::RunState;
use std::fmt::Write as _;

/// The workspace of a run; nothing for a run outside of workspaces.
pub(super) fn text(state: &RunState) -> String {
    let mut out = String::new();
    let Some(of) = state.request.as_ref().and_then(|request| request.workspace.as_ref()) else { return out };
    let _ = writeln!(out, "  workspace {}", of.workspace);
    for input in &of.inputs {
        let _ = writeln!(out, "  reads {} as {}@{}", input.input, input.path, input.version);
    }
    let decided = state.gates.values().filter_map(|gate| gate.decided.as_ref()).map(|signed| &signed.approval);
    for approval in decided.filter(|approval| approval.decision == GateDecision::Approved) {
        let authority = match approval.authority {
            Some(ApproverAuthority::SolePerson) => ", the only person of the workspace and its own approver",
            Some(ApproverAuthority::Directory) | None => "",
        };
        let _ =
            writeln!(out, "  {} approved by {} as {}{authority}", approval.gate_id, approval.approver, approval.role);
    }
    out
}
