//! Removal of a file.

use super::{by_person, next_version};
use crate::fold::{FileRecord, WorkspaceState};
use crate::names::refused;
use crate::path::FilePath;
use crate::reference::unknown;
use deed_diag::{Diagnostic, codes};
use deed_model::WorkspaceEvent;

/// A removal.
#[derive(Debug, Clone, Copy)]
pub struct Removal<'r> {
    /// The file.
    pub path: &'r FilePath,
    /// The reason.
    pub reason: &'r str,
    /// The person who removes it.
    pub actor: &'r str,
}

/// Removes a file: its next version says so, and the versions before it stay.
///
/// # Errors
/// The actor is no person of the workspace, there is no such file, or no reason is given.
pub fn remove(state: &WorkspaceState, removal: Removal<'_>) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    by_person(state, removal.actor)?;
    let path = removal.path.text();
    if removal.reason.trim().is_empty() {
        let message = format!("the removal of `{path}` needs a reason");
        return Err(refused(codes::WORKSPACE_REASON_MISSING, message, "say why, for those who read the history later"));
    }
    match state.file(path) {
        None => Err(unknown(state, path)),
        Some(file) if !file.is_live() => {
            let message = format!("`{path}` was removed before");
            let version = file.latest().map_or(0, |latest| latest.version);
            let help = format!("version {version} says so: `deed files history {path}`");
            Err(refused(codes::WORKSPACE_FILE_REMOVED, message, help))
        }
        Some(FileRecord { .. }) => Ok(vec![WorkspaceEvent::FileRemoved {
            path: path.to_owned(),
            version: next_version(state, path),
            reason: removal.reason.to_owned(),
            replaced_by: None,
        }]),
    }
}
