//! `deed golden`: golden cases listed, run, accepted, and made from recordings.

mod accept;
mod from_recording;
mod list;
mod run;
mod shown;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<accept::AcceptedGolden>("golden accept"),
    Described::of::<deed_app::packs::WrittenCase>("golden from-recording"),
    Described::of::<Vec<list::ListedCase>>("golden list"),
    Described::of::<run::RanGolden>("golden run"),
];

/// Commands about golden cases.
#[derive(Debug, Subcommand)]
pub(crate) enum Golden {
    List(list::List),
    Run(run::Run),
    Accept(accept::Accept),
    FromRecording(from_recording::FromRecording),
}

impl Golden {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Run(c) => c.run(global),
            Self::Accept(c) => c.run(global),
            Self::FromRecording(c) => c.run(global),
        }
    }
}
