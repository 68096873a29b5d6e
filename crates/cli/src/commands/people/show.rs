//! `deed people show`: a person of a workspace.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::commands::workspace::person_line;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::person;

/// Show a person of a workspace: roles, and who added them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed people show rosa")]
pub(crate) struct Show {
    /// Identity of the person.
    person: String,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let person = person(&global.session(), &self.workspace.choice(), &self.person)?;
        let text = format!("{}\n  added     {} by {}\n", person_line(&person), person.added_at, person.added_by);
        Ok(Success::new(person, text))
    }
}
