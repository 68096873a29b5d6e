//! `deed logic`: rules evaluated, explained and checked, one by one or in bulk.

mod bulk;
mod check;
mod eval;
mod explain;
mod input;

use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<eval::EvaluatedRule>("logic eval"),
    Described::of::<explain::ExplainedExpression>("logic explain"),
    Described::of::<check::MeasuredRule>("logic check"),
];

/// Commands about rules.
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
