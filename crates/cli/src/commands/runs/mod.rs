//! `deed runs`: runs listed, shown, followed, resumed and cancelled.

mod cancel;
mod cost;
mod events;
mod follow;
mod list;
mod resume;
mod show;
mod tools;

pub(crate) use resume::resumed;

use crate::args::Global;
use crate::commands::execution::shown::RunData;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<list::RunList>("runs list"),
    Described::of::<RunData>("runs show"),
    Described::of::<Vec<events::JournalEvent>>("runs events"),
    Described::of::<deed_app::runs::RunTools>("runs tools"),
    Described::of::<deed_app::runs::RunCost>("runs cost"),
    Described::of::<RunData>("runs resume"),
    Described::of::<cancel::CancelledRun>("runs cancel"),
];

/// Commands about runs.
#[derive(Debug, Subcommand)]
pub(crate) enum Runs {
    List(list::List),
    Show(show::Show),
    Events(events::Events),
    Tools(tools::Tools),
    Cost(cost::Cost),
    Resume(resume::Resume),
    Cancel(cancel::Cancel),
}

impl Runs {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Events(c) => c.run(global),
            Self::Tools(c) => c.run(global),
            Self::Cost(c) => c.run(global),
            Self::Resume(c) => c.run(global),
            Self::Cancel(c) => c.run(global),
        }
    }
}
