//! `deed runs`: what ran, how far it came, and how to go on or end it.

mod cancel;
mod events;
mod follow;
mod list;
mod resume;
mod show;

pub(crate) use resume::resumed;

use crate::args::Global;
use crate::output::Success;
use clap::Subcommand;
use deed_app::AppError;

/// What can be done with runs.
#[derive(Debug, Subcommand)]
pub(crate) enum Runs {
    List(list::List),
    Show(show::Show),
    Events(events::Events),
    Resume(resume::Resume),
    Cancel(cancel::Cancel),
}

impl Runs {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Events(c) => c.run(global),
            Self::Resume(c) => c.run(global),
            Self::Cancel(c) => c.run(global),
        }
    }
}
