//! `deed files`: the files of a workspace, in versions.

mod get;
mod history;
mod list;
mod put;
mod remove;
mod shown;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<get::FileVersionContent>("files get"),
    Described::of::<history::FileHistory>("files history"),
    Described::of::<list::FileList>("files list"),
    Described::of::<put::PutFiles>("files put"),
    Described::of::<remove::RemovedFile>("files remove"),
];

/// Commands about files of a workspace.
#[derive(Debug, Subcommand)]
pub(crate) enum Files {
    List(list::List),
    Put(put::Put),
    Get(get::Get),
    History(history::History),
    Remove(remove::Remove),
}

impl Files {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Put(c) => c.run(global),
            Self::Get(c) => c.run(global),
            Self::History(c) => c.run(global),
            Self::Remove(c) => c.run(global),
        }
    }
}
