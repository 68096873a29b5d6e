//! `deed gate`: approval gates, and decisions at them.

mod decide;
mod list;
mod show;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<Vec<list::ListedGate>>("gate list"),
    Described::of::<show::ShownGate>("gate show"),
    Described::of::<decide::DecidedGate>("gate approve"),
    Described::of::<decide::DecidedGate>("gate reject"),
];

/// Commands about approval gates.
#[derive(Debug, Subcommand)]
pub(crate) enum Gate {
    List(list::List),
    Show(show::Show),
    /// Approve what a gate shows, and resume the run with --resume.
    #[command(after_help = "Examples:
  deed gate approve last --as finance --resume
  deed gate approve week-46 payout --as finance --note \"checked the totals\"")]
    #[command(mut_arg("approve", |arg| arg.help("Also approve later gates of this role in this run. Repeatable")))]
    Approve(decide::Decision),
    /// Reject what a gate shows; the steps that wait for it fail.
    #[command(after_help = "Examples:
  deed gate reject last --as finance --note \"wrong month\"")]
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

/// Returns the hint for a question that has lapsed.
fn anew(run_id: &str) -> String {
    format!("`deed runs resume {run_id}` asks again")
}
