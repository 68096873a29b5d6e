//! `deed runs cancel`: ends a run, whoever drives it.

use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::cancel;
use serde_json::json;

/// End a run; what is under way is stopped, what was made stays.
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    /// The run, the beginning of its name, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Why, for the journal.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    #[command(flatten)]
    types: TypeArgs,
}

impl Cancel {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (run_id, ended) = cancel(&global.session(), &self.run, self.why.as_deref(), &self.types.folders)?;
        let (word, remark) = match ended {
            Some(outcome) => (outcome.as_str(), format!("it has ended: {}", outcome.as_str())),
            None => ("cancelling", "another process drives it, and was asked to end it".to_owned()),
        };
        Ok(Success::new(json!({ "run_id": run_id, "status": word }), format!("{run_id}  {word}\n")).remark(remark))
    }
}
