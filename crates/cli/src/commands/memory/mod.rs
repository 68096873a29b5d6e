//! `deed memory`: what is remembered, from its proposal to its end.

mod distill;
mod expire;
mod list;
mod promote;
mod propose;
mod review;
mod revoke;
mod show;
mod shown;
mod verify;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<distill::DistilledMemories>("memory distill"),
    Described::of::<expire::ExpiredMemories>("memory expire"),
    Described::of::<Vec<shown::MemoryData>>("memory list"),
    Described::of::<shown::ChangedMemory>("memory promote"),
    Described::of::<shown::ChangedMemory>("memory propose"),
    Described::of::<shown::ChangedMemory>("memory review"),
    Described::of::<shown::ChangedMemory>("memory revoke"),
    Described::of::<show::MemoryHistory>("memory show"),
    Described::of::<verify::VerifiedMemory>("memory verify"),
];

/// Commands about memory.
#[derive(Debug, Subcommand)]
pub(crate) enum Memory {
    Propose(propose::Propose),
    Distill(distill::Distill),
    Review(review::Review),
    Promote(promote::Promote),
    Revoke(revoke::Revoke),
    Expire(expire::Expire),
    List(list::List),
    Show(show::Show),
    Verify(verify::Verify),
}

impl Memory {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Propose(c) => c.run(global),
            Self::Distill(c) => c.run(global),
            Self::Review(c) => c.run(global),
            Self::Promote(c) => c.run(global),
            Self::Revoke(c) => c.run(global),
            Self::Expire(c) => c.run(global),
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Verify(c) => c.run(global),
        }
    }
}
