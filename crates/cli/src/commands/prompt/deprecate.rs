//! `deed prompt deprecate`: no profile may name the version for new runs.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, objects};
use deed_model::ObjectRef;
use deed_pack::{EndOfUse, PinnedUse};
use schemars::JsonSchema;
use serde::Serialize;

/// Deprecate a prompt: no profile may name it for new runs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed prompt deprecate acme.operator.planner.system@v1 \\
    --reason \"replaced by a newer version\"")]
pub(crate) struct Deprecate {
    /// Published prompt, such as acme.operator.planner.system@v1.
    prompt: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
    /// End it although published profiles name it.
    #[arg(long)]
    force: bool,
}

/// A prompt that was deprecated.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DeprecatedPrompt {
    /// Its reference.
    prompt_ref: String,
    /// The reason.
    reason: String,
    /// The event in the log; null where it was recorded before.
    event: Option<Recorded>,
}

impl Deprecate {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let in_use = if self.force { PinnedUse::TakenDown } else { PinnedUse::Refused };
        let object = ObjectRef::prompt(&self.prompt);
        let ended = objects::end(&global.session(), object, (EndOfUse::Deprecate, &self.reason), in_use)?;
        let reference = ended.object.name;
        let text = format!("{reference}\n");
        let remark = ended.outcome.to_string();
        let reason = self.reason.clone();
        let data = DeprecatedPrompt { prompt_ref: reference, reason, event: event(&ended.outcome) };
        Ok(Success::new(data, text).remark(remark))
    }
}
