//! Approvals and questions that lapsed, so that a gate asks again: why they did, and which will when the run is resumed.

use crate::error::AppError;
use crate::session::Session;
use crate::workspaces::ProjectDirectory;
use deed_model::{Approval, GateDecision, RunEvent};
use deed_ports::JournalEntry;
use deed_runtime::{RunState, lost_authority};
use std::collections::BTreeMap;

/// An approval or a question of a gate that lapsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lapse {
    /// The gate.
    pub gate_id: String,
    /// The time; none where it lapses when the run is resumed.
    pub at: Option<String>,
    /// The approver, where it was decided.
    pub approver: Option<String>,
    /// The reason.
    pub why: String,
}

/// Returns the last lapse of each gate, by gate.
pub fn lapses(entries: &[JournalEntry]) -> BTreeMap<String, Lapse> {
    let mut decided: BTreeMap<&str, &Approval> = BTreeMap::new();
    let mut lapses = BTreeMap::new();
    for entry in entries {
        match &entry.record.event {
            RunEvent::GateDecided { signed } => {
                decided.insert(&signed.approval.gate_id, &signed.approval);
            }
            RunEvent::GateLapsed { gate_id, subject_hash, why } => {
                let of = decided.get(gate_id.as_str()).filter(|approval| approval.subject_hash == *subject_hash);
                let lapse = Lapse {
                    gate_id: gate_id.clone(),
                    at: Some(entry.record.at.clone()),
                    approver: of.map(|approval| approval.approver.clone()),
                    why: why.clone(),
                };
                lapses.insert(gate_id.clone(), lapse);
            }
            _ => {}
        }
    }
    lapses
}

/// Returns the approvals that no longer count, by gate: the authority of the approver has ended since they decided. Resuming the
/// run asks again.
///
/// # Errors
/// There is no home.
pub fn lost_approvals(session: &Session, state: &RunState) -> Result<BTreeMap<String, Lapse>, AppError> {
    let workspace = state.request.as_ref().and_then(|request| request.workspace.as_ref());
    match workspace.filter(|_| state.ended.is_none()) {
        Some(of) => lost_in(session, state, &of.workspace),
        None => Ok(BTreeMap::new()),
    }
}

fn lost_in(session: &Session, state: &RunState, workspace: &str) -> Result<BTreeMap<String, Lapse>, AppError> {
    let directory = ProjectDirectory::new(session.home()?.workspaces());
    let decided = state.gates.values().filter_map(|gate| gate.decided.as_ref()).map(|signed| &signed.approval);
    let unused = decided
        .filter(|approval| approval.decision == GateDecision::Approved && !state.used.contains(&approval.approval_id));
    let lost = unused.filter_map(|approval| {
        let why = lost_authority(&directory, workspace, approval)?;
        let approver = Some(approval.approver.clone());
        let lapse = Lapse { gate_id: approval.gate_id.clone(), at: None, approver, why };
        Some((approval.gate_id.clone(), lapse))
    });
    Ok(lost.collect())
}
