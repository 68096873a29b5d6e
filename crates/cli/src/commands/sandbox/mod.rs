//! `deed sandbox`: the sandbox of this machine, and of a step.

mod plan;
mod probe;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] =
    &[Described::of::<deed_sandbox::Probe>("sandbox probe"), Described::of::<plan::PlannedSandbox>("sandbox plan")];

/// Commands about sandboxes.
#[derive(Debug, Subcommand)]
pub(crate) enum Sandbox {
    Probe(probe::Probe),
    Plan(plan::Plan),
}

impl Sandbox {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Probe(c) => c.run(global),
            Self::Plan(c) => c.run(global),
        }
    }
}
