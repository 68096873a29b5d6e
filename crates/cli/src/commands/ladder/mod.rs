//! `deed ladder`: payloads checked and corrected, with a record of every change.

mod check;
mod climb;
mod lines;
mod map;
mod undo;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<climb::Answer>("ladder climb"),
    Described::of::<check::CheckedContract>("ladder check"),
    Described::of::<undo::RestoredPayload>("ladder undo"),
    Described::of::<map::MappedDocument>("ladder map"),
];

/// Commands about ladders.
#[derive(Debug, Subcommand)]
pub(crate) enum Ladder {
    Climb(climb::Climb),
    Check(check::Check),
    Undo(undo::Undo),
    Map(map::Map),
}

impl Ladder {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Climb(c) => c.run(global),
            Self::Check(c) => c.run(),
            Self::Undo(c) => c.run(),
            Self::Map(c) => c.run(),
        }
    }
}
