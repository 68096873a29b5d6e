//! `deed profile revoke`: the version is blocked from now on.

use super::under_way;
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, profiles};
use deed_pack::{EndOfUse, PinnedUse};
use schemars::JsonSchema;
use serde::Serialize;

/// Revoke a profile: it is blocked, and runs under way go on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile revoke team-default@1.0.0 \\
    --reason \"lets refunds pass unseen\"")]
pub(crate) struct Revoke {
    /// Published profile, such as team-default@1.0.0.
    profile: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
    /// End it although tenants, workspaces or runs have it bound.
    #[arg(long)]
    force: bool,
}

/// A profile that was revoked.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RevokedProfile {
    /// Its reference.
    profile_ref: String,
    /// The reason.
    reason: String,
    /// The runs under way that go on under their frozen snapshots of it.
    under_way: Vec<String>,
    /// The event in the log; null where it was recorded before.
    event: Option<Recorded>,
}

impl Revoke {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let in_use = if self.force { PinnedUse::TakenDown } else { PinnedUse::Refused };
        let end = (EndOfUse::Revoke, self.reason.as_str());
        let ended = profiles::end(&global.session(), &self.profile, end, in_use)?;
        let reference = ended.profile_ref.to_string();
        let text = format!("{reference}\n");
        let remark = under_way(&ended);
        let reason = self.reason.clone();
        let data = RevokedProfile {
            profile_ref: reference,
            reason,
            under_way: ended.under_way.clone(),
            event: event(&ended.outcome),
        };
        Ok(Success::new(data, text).remark(remark))
    }
}
