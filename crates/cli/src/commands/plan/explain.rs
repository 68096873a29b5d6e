//! `deed plan explain`: the bindings of a step, and the reasons for them.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use crate::terminal::{self, Stream};
use clap::Args;
use deed_app::AppError;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};

/// Explain a step: its inputs and why, where it runs, its checks and its budget.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed plan explain weekly.plan.yaml report")]
pub(crate) struct Explain {
    #[command(flatten)]
    given: PlanArgs,
    /// Step of the plan.
    #[arg(value_name = "STEP")]
    step: String,
}

impl Explain {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (plan, report) = self.given.compiled(global)?;
        let Some(explanation) = deed_plan::explain(&plan, &self.step) else {
            let help = did_you_mean(&self.step, plan.steps.iter().map(|step| step.step_id.as_str()));
            let message = format!("the plan has no step {}", quote(&self.step));
            return Err(AppError::refused(
                Diagnostic::error(codes::UNKNOWN_STEP, message).stage("explain").help_opt(help),
            ));
        };
        let text = match terminal::width(Stream::Stdout) {
            Some(width) => terminal::fit(Stream::Stdout, &explanation.text_within(width)),
            None => explanation.text(),
        };
        Ok(Success::new(explanation, text).report(report))
    }
}
