//! `deed people`: the people of a workspace and their roles.

mod add;
mod list;
mod remove;
mod show;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;
use deed_model::WorkspacePerson;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<add::AddedPersonData>("people add"),
    Described::of::<list::PeopleList>("people list"),
    Described::of::<remove::RemovedPerson>("people remove"),
    Described::of::<WorkspacePerson>("people show"),
];

/// Commands about people.
#[derive(Debug, Subcommand)]
pub(crate) enum People {
    Add(add::Add),
    List(list::List),
    Show(show::Show),
    Remove(remove::Remove),
}

impl People {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Add(c) => c.run(global),
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Remove(c) => c.run(global),
        }
    }
}
