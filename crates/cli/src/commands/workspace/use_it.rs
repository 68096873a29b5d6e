//! `deed workspace use`: the workspace of commands that name none.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::{in_use, stop_using, use_workspace};
use schemars::JsonSchema;
use serde::Serialize;

/// Set the workspace of all commands that name none; without NAME, show it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed workspace use reports
  deed workspace use --none")]
pub(crate) struct Use {
    /// Workspace to use.
    name: Option<String>,
    /// Use none from now on.
    #[arg(long, conflicts_with = "name")]
    none: bool,
}

/// The workspace in use.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WorkspaceInUse {
    /// Its name; null where none is.
    workspace: Option<String>,
}

impl Use {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let (workspace, remark) = match &self.name {
            Some(name) => {
                use_workspace(&session, name)?;
                (
                    Some(name.clone()),
                    "runs, files, people and memory are those of this workspace from now on".to_owned(),
                )
            }
            None if self.none => match stop_using(&session)? {
                Some(before) => (None, format!("`{before}` is no longer in use")),
                None => (None, "none was in use".to_owned()),
            },
            None => (in_use(&session)?, "in use now".to_owned()),
        };
        let text = workspace.as_ref().map_or_else(|| "none\n".to_owned(), |name| format!("{name}\n"));
        Ok(Success::new(WorkspaceInUse { workspace }, text).remark(remark))
    }
}
