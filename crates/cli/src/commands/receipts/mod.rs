//! `deed receipts`: what the system found out about each step, signed.

mod show;
mod verify;

use crate::args::Global;
use crate::output::Success;
use clap::Subcommand;
use deed_app::AppError;

/// What can be done with receipts.
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
