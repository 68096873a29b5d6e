//! `deed endpoint`: where the adapters of packs are reached in each environment.

mod add;
mod list;
mod remove;
mod show;
mod shown;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<add::AddedEndpoint>("endpoint add"),
    Described::of::<Vec<shown::ShownEndpoint>>("endpoint list"),
    Described::of::<shown::ShownEndpoint>("endpoint show"),
    Described::of::<remove::RemovedEndpoint>("endpoint remove"),
];

/// Commands about endpoints.
#[derive(Debug, Subcommand)]
pub(crate) enum Endpoint {
    Add(Box<add::Add>),
    List(list::List),
    Show(show::Show),
    Remove(remove::Remove),
}

impl Endpoint {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Add(c) => c.run(global),
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Remove(c) => c.run(global),
        }
    }
}
