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
            Some(width) => {
                let mut shown = explanation.clone();
                shown.runs.iter_mut().for_each(|line| *line = terminal::with_hashes(Stream::Stdout, line));
                let text = terminal::with_hashes(Stream::Stdout, &shown.text_within(width));
                terminal::fit(Stream::Stdout, &text)
            }
            None => explanation.text(),
        };
        Ok(Success::new(explanation, text).report(report))
    }
}
