//! `deed people add`: a person with roles.

use crate::args::Global;
use crate::commands::workspace::choice::WorkspaceArgs;
use crate::commands::workspace::person_line;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::{AddedPerson, add_person};
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
pub(crate) struct AddedPersonData {
    /// The person.
    person: WorkspacePerson,
    /// The change of a person who was in the workspace before.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<PersonChange>,
    /// True where an event was recorded; false where the person had these roles before.
    recorded: bool,
}

/// What changed of a person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PersonChange {
    /// The roles that the person has now and had not before.
    gained: Vec<String>,
    /// The roles that the person had before and has not any more.
    lost: Vec<String>,
    /// The earlier name, where it was another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier_name: Option<String>,
}

impl PersonChange {
    fn of(before: &WorkspacePerson, now: &WorkspacePerson) -> Option<Self> {
        let gained: Vec<String> = now.roles.difference(&before.roles).cloned().collect();
        let lost: Vec<String> = before.roles.difference(&now.roles).cloned().collect();
        let earlier_name = before.name.clone().filter(|_| before.name != now.name);
        let named = before.name != now.name;
        (named || !gained.is_empty() || !lost.is_empty()).then_some(Self { gained, lost, earlier_name })
    }

    fn text(&self) -> String {
        let roles = |word: &str, roles: &[String]| (!roles.is_empty()).then(|| format!("{word} {}", roles.join(", ")));
        let name = self.earlier_name.as_ref().map(|name| format!("was named {name}"));
        let parts = [roles("gained", &self.gained), roles("lost", &self.lost), name];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!("  {}\n", parts.join("; ")) }
    }
}

impl Add {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let roles = self.role.iter().cloned().collect();
        let (session, choice) = (global.session(), self.workspace.choice());
        let AddedPerson { person, before, outcome } =
            add_person(&session, &choice, &self.person, self.name.as_deref(), &roles)?;
        let changed = before.as_ref().and_then(|before| PersonChange::of(before, &person));
        let told = changed.as_ref().map_or_else(String::new, PersonChange::text);
        let text = format!("{}\n{told}", person_line(&person));
        let recorded = outcome != Outcome::AlreadyDone;
        let word = if before.is_some() { "changed" } else { "added" };
        Ok(Success::new(AddedPersonData { person, changed, recorded }, text).remark(format!("{word}: {outcome}")))
    }
}
