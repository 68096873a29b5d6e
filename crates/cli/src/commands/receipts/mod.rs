//! `deed receipts`: the signed receipts of runs.

mod show;
mod validation;
mod verify;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<Vec<show::ShownReceipt>>("receipts show"),
    Described::of::<verify::VerifiedRun>("receipts verify"),
];

/// Commands about receipts.
#[derive(Debug, Subcommand)]
pub(crate) enum Receipts {
    Show(show::Show),
    Verify(verify::Verify),
}

impl Receipts {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Show(c) => c.run(global),
            Self::Verify(c) => c.run(global),
        }
    }
}
