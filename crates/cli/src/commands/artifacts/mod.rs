//! `deed artifacts`: the files of a run, by path and content.

mod cat;
mod export;
mod list;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<Vec<list::ListedArtifact>>("artifacts list"),
    Described::of::<cat::FileContent>("artifacts cat"),
    Described::of::<Vec<export::ExportedArtifact>>("artifacts export"),
];

/// Commands about the files of runs.
#[derive(Debug, Subcommand)]
pub(crate) enum Artifacts {
    List(list::List),
    Cat(cat::Cat),
    Export(export::Export),
}

impl Artifacts {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Cat(c) => c.run(global),
            Self::Export(c) => c.run(global),
        }
    }
}
