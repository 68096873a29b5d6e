//! `deed gate`: what waits for a person, and what they say.

mod decide;
mod list;
mod show;

use crate::args::Global;
use crate::output::Success;
use clap::Subcommand;
use deed_app::AppError;

/// What can be done at gates.
#[derive(Debug, Subcommand)]
pub(crate) enum Gate {
    List(list::List),
    Show(show::Show),
    /// Approve exactly what is shown, once.
    Approve(decide::Decision),
    /// Reject what is shown; what waits for it fails.
    Reject(decide::Decision),
}

impl Gate {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Approve(c) => c.run(global, deed_model::GateDecision::Approved),
            Self::Reject(c) => c.run(global, deed_model::GateDecision::Rejected),
        }
    }
}

/// What can be done about a question that has lapsed.
fn anew(run_id: &str) -> String {
    format!("`deed runs resume {run_id}` asks anew")
}
