//! `deed pack revoke`: the version is blocked from now on.

use crate::args::Global;
use crate::commands::registry::{self, event, failure, pack_ref, recorded, spoken, stamp};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let reference = pack_ref(&self.pack)?;
        let (_, registry) = registry::open(global)?;
        let outcome =
            registry.revoke(&reference, spoken("--reason", &self.reason)?, &stamp(global)?).map_err(failure)?;
        let data = json!({ "pack_ref": reference, "reason": self.reason, "event": event(&outcome) });
        Ok(Success::new(data, format!("{reference}\n")).remark(recorded(&outcome)))
    }
}
