//! `deed pack pin`: an environment uses this version from now on. Pinning a lower version is a rollback.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use schemars::JsonSchema;
use serde::Serialize;

/// Pin a published version in an environment; a lower version rolls it back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack pin ctxpack.support@1.0.0 --env prod")]
pub(crate) struct Pin {
    /// Published version, such as ctxpack.support@1.0.0.
    pack: String,
    /// Environment, such as prod.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Tenant of the environment [default: the registry's tenant].
    #[arg(long)]
    tenant: Option<String>,
}

/// A version that is pinned.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PinnedPack {
    /// The version.
    pack_ref: String,
    /// The environment.
    environment: String,
    /// The tenant of the environment.
    tenant_id: String,
    /// The event in the log; null where it was pinned before.
    event: Option<Recorded>,
}

impl Pin {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let pinned = packs::pin(&global.session(), &self.pack, &self.environment, self.tenant.as_deref())?;
        let reference = &pinned.pack_ref;
        let data = PinnedPack {
            pack_ref: reference.to_string(),
            environment: self.environment.clone(),
            tenant_id: pinned.tenant.clone(),
            event: event(&pinned.outcome),
        };
        Ok(Success::new(data, format!("{reference} {}\n", self.environment)).remark(pinned.outcome.to_string()))
    }
}
