//! `deed files remove`: a version that says that a file is gone.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::remove_file;
use deed_model::FileVersion;
use schemars::JsonSchema;
use serde::Serialize;

/// Remove a file: a version says so, and all versions before it are kept.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed files remove people/hours.csv --reason \"wrong month\"")]
pub(crate) struct Remove {
    /// Path of the file.
    #[arg(value_name = "PATH")]
    path: String,
    /// Reason, for the history.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// A file that was removed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RemovedFile {
    /// The path.
    path: String,
    /// The version that says so.
    version: FileVersion,
}

impl Remove {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (session, choice) = (global.session(), self.workspace.choice());
        let (path, version, outcome) = remove_file(&session, &choice, &self.path, &self.reason)?;
        let text = format!("{path}@{} removed\n", version.version);
        Ok(Success::new(RemovedFile { path, version }, text).remark(format!("removed: {outcome}")))
    }
}
