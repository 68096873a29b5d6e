//! The directories of people, as the runtime asks them.

use deed_ports::{ApproverStanding, Directory};
use deed_store::WorkspaceStore;
use deed_workspace::{Standing, WorkspaceState, check_workspace_name, standing};
use std::path::PathBuf;

/// The directories of the workspaces of a home. They are read anew for each question, so that a person who was removed by
/// another process no longer approves.
#[derive(Debug)]
pub(crate) struct ProjectDirectory {
    workspaces: PathBuf,
}

impl ProjectDirectory {
    /// The directories of the workspaces in a folder.
    pub(crate) fn new(workspaces: PathBuf) -> Self {
        Self { workspaces }
    }
}

impl Directory for ProjectDirectory {
    fn standing(&self, workspace: &str, approver: &str, role: &str) -> ApproverStanding {
        let unreadable = |why: &str| ApproverStanding::Lacks {
            why: format!("the people of the workspace `{workspace}` cannot be read: {why}"),
            help: "`deed workspace verify` names what is wrong; restore it from a backup".to_owned(),
        };
        if check_workspace_name(workspace).is_err() {
            return unreadable("its name is none");
        }
        let store = match WorkspaceStore::open_if_there(&self.workspaces.join(workspace)) {
            Ok(Some(store)) => store,
            Ok(None) => return unreadable("it is not there"),
            Err(error) => return unreadable(&said(&error)),
        };
        match store.state() {
            Ok(state) => told(&state, approver, role),
            Err(error) => unreadable(&said(&error)),
        }
    }
}

fn told(state: &WorkspaceState, approver: &str, role: &str) -> ApproverStanding {
    match standing(state, approver, role) {
        Standing::Holds(held) => ApproverStanding::Holds(held),
        Standing::Lacks { why, help } => ApproverStanding::Lacks { why, help },
    }
}

fn said(error: &deed_store::RegistryError) -> String {
    error.diagnostics().first().map_or_else(|| "unknown".to_owned(), |first| first.message.clone())
}
