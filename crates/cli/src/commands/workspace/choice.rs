//! The option that names a workspace.

use clap::Args;
use deed_app::workspaces::WorkspaceChoice;

/// The workspace of a command.
#[derive(Debug, Clone, Args)]
pub(crate) struct WorkspaceArgs {
    /// Workspace [default: the one in use].
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,
}

impl WorkspaceArgs {
    pub(crate) fn choice(&self) -> WorkspaceChoice {
        self.workspace.clone().map_or(WorkspaceChoice::InUse, WorkspaceChoice::Named)
    }
}
