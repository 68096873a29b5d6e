//! `deed workspace list`: the workspaces of the home.

use crate::args::Global;
use crate::output::Success;
use crate::text::{count, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::{ListedWorkspace, list};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// List the workspaces of this home; a star marks the one in use.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed workspace list")]
pub(crate) struct List {}

/// A workspace in short.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WorkspaceSummary {
    /// Its name.
    workspace: String,
    /// The kind of work that it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<String>,
    /// True where it is in use.
    in_use: bool,
    /// The number of its people.
    people: u64,
    /// The number of files of people.
    people_files: u64,
    /// The number of files of agents.
    agents_files: u64,
}

impl WorkspaceSummary {
    pub(super) fn of(listed: &ListedWorkspace) -> Self {
        Self {
            workspace: listed.name.clone(),
            purpose: listed.purpose.clone(),
            in_use: listed.in_use,
            people: listed.people,
            people_files: listed.files.0,
            agents_files: listed.files.1,
        }
    }
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let listed = list(&global.session())?;
        let mut text = String::new();
        for its in &listed {
            let mark = if its.in_use { "*" } else { " " };
            let people = if its.people == 1 { "1 person".to_owned() } else { format!("{} people", its.people) };
            let (uploads, outputs) = (count(its.files.0, "file"), its.files.1);
            let purpose = its.purpose.as_ref().map(|purpose| format!("  {purpose}")).unwrap_or_default();
            let _ =
                writeln!(text, "{mark} {:<20} {people}, {uploads} of people, {outputs} of agents{purpose}", its.name);
        }
        let empty = listed.is_empty();
        let success = Success::new(listed.iter().map(WorkspaceSummary::of).collect::<Vec<_>>(), text);
        Ok(if empty { success.remark("there is none yet; `deed workspace new NAME` makes one") } else { success })
    }
}
