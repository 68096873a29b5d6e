//! `deed pack unpin`: an environment no longer uses the pack.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use schemars::JsonSchema;
use serde::Serialize;

/// Unpin a pack: the environment uses no version of it until one is pinned again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack unpin ctxpack.support --env staging --reason \"staging is closed\"")]
pub(crate) struct Unpin {
    /// Id of the pack, such as ctxpack.support.
    pack_id: String,
    /// Environment, such as prod.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
    /// Tenant of the environment [default: the registry's tenant].
    #[arg(long)]
    tenant: Option<String>,
}

/// A pack that an environment no longer uses.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct UnpinnedPack {
    /// The pack.
    pack_id: String,
    /// The environment.
    environment: String,
    /// The reason.
    reason: String,
    /// The event in the log; null where it was unpinned before.
    event: Option<Recorded>,
}

impl Unpin {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let tenant = self.tenant.as_deref();
        let outcome = packs::unpin(&global.session(), &self.pack_id, &self.environment, tenant, &self.reason)?;
        let data = UnpinnedPack {
            pack_id: self.pack_id.clone(),
            environment: self.environment.clone(),
            reason: self.reason.clone(),
            event: event(&outcome),
        };
        Ok(Success::new(data, format!("{} {}\n", self.pack_id, self.environment)).remark(outcome.to_string()))
    }
}
