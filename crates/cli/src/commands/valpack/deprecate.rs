//! `deed valpack deprecate`: no profile may name the version for new runs.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, objects};
use deed_model::ObjectRef;
use deed_pack::{EndOfUse, PinnedUse};
use schemars::JsonSchema;
use serde::Serialize;

/// Deprecate a validation pack: no profile may name it for new runs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed valpack deprecate valpack.acme.orders@v1 \\
    --reason \"replaced by a newer version\"")]
pub(crate) struct Deprecate {
    /// Published validation pack, such as valpack.acme.orders@v1.
    pack: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
    /// End it although published profiles name it.
    #[arg(long)]
    force: bool,
}

/// A validation pack that was deprecated.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DeprecatedValidationPack {
    /// Its reference.
    pack_ref: String,
    /// The reason.
    reason: String,
    /// The event in the log; null where it was recorded before.
    event: Option<Recorded>,
}

impl Deprecate {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let in_use = if self.force { PinnedUse::TakenDown } else { PinnedUse::Refused };
        let object = ObjectRef::validation_pack(&self.pack);
        let ended = objects::end(&global.session(), object, (EndOfUse::Deprecate, &self.reason), in_use)?;
        let reference = ended.object.name;
        let text = format!("{reference}\n");
        let remark = ended.outcome.to_string();
        let reason = self.reason.clone();
        let data = DeprecatedValidationPack { pack_ref: reference, reason, event: event(&ended.outcome) };
        Ok(Success::new(data, text).remark(remark))
    }
}
