//! `deed transcript`: recorded calls of models.

mod merge;
mod show;
mod verify;

use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<deed_app::transcripts::ShownTranscript>("transcript show"),
    Described::of::<verify::VerifiedTranscript>("transcript verify"),
    Described::of::<deed_app::transcripts::MergedTranscript>("transcript merge"),
];

/// Commands about transcripts.
#[derive(Debug, Subcommand)]
pub(crate) enum Transcript {
    Show(show::Show),
    Verify(verify::Verify),
    Merge(merge::Merge),
}

impl Transcript {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        match self {
            Self::Show(c) => c.run(),
            Self::Verify(c) => c.run(),
            Self::Merge(c) => c.run(),
        }
    }
}
