//! `deed plan`: plans written, checked, explained and compiled to contracts.

mod check;
mod compile;
mod diff;
mod explain;
mod graph;
mod new;
mod source;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<new::NewPlan>("plan new"),
    Described::of::<check::CheckedPlan>("plan check"),
    Described::of::<compile::CompiledOutput>("plan compile"),
    Described::of::<deed_plan::Explanation>("plan explain"),
    Described::of::<deed_plan::PlanDiff>("plan diff"),
    Described::of::<graph::DrawnPlan>("plan graph"),
];

/// Commands about plans.
#[derive(Debug, Subcommand)]
pub(crate) enum Plan {
    New(new::New),
    Check(check::Check),
    Compile(compile::Compile),
    Explain(explain::Explain),
    Diff(diff::Diff),
    Graph(graph::Graph),
}

impl Plan {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::New(c) => c.run(),
            Self::Check(c) => c.run(global),
            Self::Compile(c) => c.run(global),
            Self::Explain(c) => c.run(global),
            Self::Diff(c) => c.run(global),
            Self::Graph(c) => c.run(global),
        }
    }
}
