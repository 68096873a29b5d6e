//! `deed runs cancel`: ends a run, also one that another process drives.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::cancel;
use schemars::JsonSchema;
use serde::Serialize;

/// Cancel a run; its steps are stopped, its files are kept.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed runs cancel last --why \"wrong input\"")]
pub(crate) struct Cancel {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Reason, for the journal.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    #[command(flatten)]
    types: TypeArgs,
}

/// A run that was cancelled.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CancelledRun {
    /// The run.
    run_id: String,
    /// Its outcome, or `cancelling` where another process has to end it.
    status: &'static str,
}

impl Cancel {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (run_id, ended) = cancel(&global.session(), &self.run, self.why.as_deref(), &self.types.folders)?;
        let (word, remark) = match ended {
            Some(outcome) => (outcome.as_str(), format!("it has ended: {}", outcome.as_str())),
            None => ("cancelling", "another process drives it, and was asked to end it".to_owned()),
        };
        let text = format!("{run_id}  {word}\n");
        Ok(Success::new(CancelledRun { run_id, status: word }, text).remark(remark))
    }
}
