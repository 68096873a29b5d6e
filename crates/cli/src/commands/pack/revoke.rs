//! `deed pack revoke`: the version is blocked from now on.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use deed_pack::PinnedUse;
use schemars::JsonSchema;
use serde::Serialize;

/// Revoke a version: nothing may use it, also where it is pinned.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack revoke ctxpack.support@1.0.0 \\
      --reason \"allows refunds without approval\"")]
pub(crate) struct Revoke {
    /// Published version, such as ctxpack.support@1.0.0.
    pack: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
    /// Take down the environments that have it pinned.
    #[arg(long)]
    force: bool,
}

/// A version that is blocked.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RevokedPack {
    /// The version.
    pack_ref: String,
    /// The reason.
    reason: String,
    /// The event in the log; null where it was recorded before.
    event: Option<Recorded>,
}

impl Revoke {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let pinned = if self.force { PinnedUse::TakenDown } else { PinnedUse::Refused };
        let (reference, outcome) = packs::revoke(&global.session(), &self.pack, &self.reason, pinned)?;
        let data = RevokedPack { pack_ref: reference.to_string(), reason: self.reason.clone(), event: event(&outcome) };
        Ok(Success::new(data, format!("{reference}\n")).remark(outcome.to_string()))
    }
}
