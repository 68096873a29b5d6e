//! `deed dev`: tools for developing Deed itself. They are not part of its interface and may change at any time.

use super::imprint::Audit;
use crate::output::Success;
use clap::Subcommand;
use deed_app::AppError;

/// The tools.
#[derive(Debug, Subcommand)]
pub(crate) enum Dev {
    ImprintAudit(Audit),
}

impl Dev {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        match self {
            Self::ImprintAudit(c) => c.run(),
        }
    }
}
