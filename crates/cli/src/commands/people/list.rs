//! `deed people list`: the people of a workspace.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::commands::workspace::person_line;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::people;
use deed_model::WorkspacePerson;
use schemars::JsonSchema;
use serde::Serialize;

/// List the people of a workspace with their roles.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed people list
  deed people list --workspace reports")]
pub(crate) struct List {
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// The people of a workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PeopleList {
    /// The workspace.
    workspace: String,
    /// The people, by identity.
    people: Vec<WorkspacePerson>,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (workspace, people) = people(&global.session(), &self.workspace.choice())?;
        let text: String = people.iter().map(|person| format!("{}\n", person_line(person))).collect();
        Ok(Success::new(PeopleList { workspace, people }, text))
    }
}
