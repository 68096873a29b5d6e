//! `deed catalog`: the types that plans are checked with.

mod adapt;
mod add;
mod lint;
mod list;
mod new;
mod show;
pub(super) mod types;

use crate::args::Global;
use crate::output::Success;
use clap::Subcommand;
use deed_app::AppError;

/// What can be done with the catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum Catalog {
    List(list::List),
    Show(show::Show),
    Lint(lint::Lint),
    New(new::New),
    Add(add::Add),
    Adapt(adapt::Adapt),
}

impl Catalog {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Lint(c) => c.run(global),
            Self::New(c) => c.run(),
            Self::Add(c) => c.run(global),
            Self::Adapt(c) => c.run(global),
        }
    }
}
