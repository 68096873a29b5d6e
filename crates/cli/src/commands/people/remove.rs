//! `deed people remove`: a person who leaves a workspace.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::remove_person;
use schemars::JsonSchema;
use serde::Serialize;

/// Remove a person from a workspace; approvals of theirs that were not used lapse.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed people remove rosa --reason \"left the team\"")]
pub(crate) struct Remove {
    /// Identity of the person.
    person: String,
    /// Reason, for the log.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// A person who was removed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RemovedPerson {
    /// The workspace.
    workspace: String,
    /// The identity.
    person_id: String,
}

impl Remove {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (session, choice) = (global.session(), self.workspace.choice());
        let (workspace, outcome) = remove_person(&session, &choice, &self.person, self.reason.as_deref())?;
        let text = format!("{} is no person of {workspace} any more\n", self.person);
        let data = RemovedPerson { workspace, person_id: self.person.clone() };
        Ok(Success::new(data, text).remark(format!("removed: {outcome}")))
    }
}
