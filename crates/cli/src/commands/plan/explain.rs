//! `deed plan explain`: why a step is bound as it is.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_diag::{Code, Diagnostic, did_you_mean, quote};

const NO_SUCH_STEP: Code = Code::new("D1971");

/// Say of one step what it is bound to and why, where it runs, what is checked and what it may spend.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    given: PlanArgs,
    /// The step.
    #[arg(value_name = "STEP")]
    step: String,
}

impl Explain {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (plan, report) = self.given.compiled(global)?;
        let Some(explanation) = deed_plan::explain(&plan, &self.step) else {
            let help = did_you_mean(&self.step, plan.steps.iter().map(|step| step.step_id.as_str()));
            let message = format!("the plan has no step {}", quote(&self.step));
            return Err(AppError::refused(Diagnostic::error(NO_SUCH_STEP, message).stage("explain").help_opt(help)));
        };
        let data = serde_json::to_value(&explanation).map_err(AppError::internal)?;
        Ok(Success::new(data, explanation.text()).report(report))
    }
}
