//! `deed decision`: decisions judged by the critic, approved, recorded and verified.

mod approve;
mod check;
mod list;
mod record;
mod show;
mod sources;
mod verify;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<deed_model::SignedApproval>("decision approve"),
    Described::of::<check::JudgedData>("decision check"),
    Described::of::<Vec<list::ListedDecision>>("decision list"),
    Described::of::<record::RecordedData>("decision record"),
    Described::of::<show::ShownDecision>("decision show"),
    Described::of::<verify::VerifiedData>("decision verify"),
];

/// Commands about decisions.
#[derive(Debug, Subcommand)]
pub(crate) enum Decision {
    Check(check::Check),
    Approve(approve::Approve),
    Record(record::Record),
    List(list::List),
    Show(show::Show),
    Verify(verify::Verify),
}

impl Decision {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Check(c) => c.run(global),
            Self::Approve(c) => c.run(global),
            Self::Record(c) => c.run(global),
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Verify(c) => c.run(global),
        }
    }
}
