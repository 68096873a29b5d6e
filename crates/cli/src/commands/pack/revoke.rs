//! `deed pack revoke`: the version is blocked from now on.

use crate::args::Global;
use crate::commands::recorded::event;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use serde_json::json;

/// Block a version, whoever has pinned it; it is kept for audit.
#[derive(Debug, Args)]
pub(crate) struct Revoke {
    /// Which version, e.g. ctxpack.support@1.0.0.
    pack: String,
    /// Why.
    #[arg(long)]
    reason: String,
}

impl Revoke {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (reference, outcome) = packs::revoke(&global.session(), &self.pack, &self.reason)?;
        let data = json!({ "pack_ref": reference, "reason": self.reason, "event": event(&outcome) });
        Ok(Success::new(data, format!("{reference}\n")).remark(outcome.to_string()))
    }
}
