//! `deed logic`: rules at the shell, one by one or in bulk.

mod bulk;
mod check;
mod eval;
mod explain;
mod input;

use crate::output::Success;
use clap::Subcommand;
use deed_app::AppError;

/// What can be done with a rule.
#[derive(Debug, Subcommand)]
pub(crate) enum Logic {
    Eval(eval::Eval),
    Explain(explain::Explain),
    Check(check::Check),
}

impl Logic {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        match self {
            Self::Eval(c) => c.run(),
            Self::Explain(c) => c.run(),
            Self::Check(c) => c.run(),
        }
    }
}
