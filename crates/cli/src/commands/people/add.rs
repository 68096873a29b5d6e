//! `deed people add`: a person with roles.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::commands::workspace::person_line;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::add_person;
use deed_model::WorkspacePerson;
use deed_store::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// Add a person to a workspace, or give a person other roles. Only owners may.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed people add rosa --role finance
  deed people add rosa --role finance --role owner --name \"Rosa Lind\"")]
pub(crate) struct Add {
    /// Identity of the person: what is recorded as the actor.
    person: String,
    /// Role: the approver role of gates, or `owner`. These are all roles of the person from now on. Repeatable.
    #[arg(long, value_name = "ROLE")]
    role: Vec<String>,
    /// Name for readers.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// A person who was added.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AddedPerson {
    /// The person.
    person: WorkspacePerson,
    /// True where an event was recorded; false where the person had these roles before.
    recorded: bool,
}

impl Add {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let roles = self.role.iter().cloned().collect();
        let (session, choice) = (global.session(), self.workspace.choice());
        let (person, outcome) = add_person(&session, &choice, &self.person, self.name.as_deref(), &roles)?;
        let text = format!("{}\n", person_line(&person));
        let recorded = outcome != Outcome::AlreadyDone;
        Ok(Success::new(AddedPerson { person, recorded }, text).remark(format!("added: {outcome}")))
    }
}
