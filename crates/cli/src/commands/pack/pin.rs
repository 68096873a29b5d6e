//! `deed pack pin`: an environment uses this version from now on. Pinning a lower version is a rollback.

use crate::args::Global;
use crate::commands::recorded::event;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use serde_json::json;

/// Pin a published version in an environment; a lower version than the current one is a rollback.
#[derive(Debug, Args)]
pub(crate) struct Pin {
    /// Which version, e.g. ctxpack.support@1.0.0.
    pack: String,
    /// Which environment.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Whose environment; the registry's tenant otherwise.
    #[arg(long)]
    tenant: Option<String>,
}

impl Pin {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let pinned = packs::pin(&global.session(), &self.pack, &self.environment, self.tenant.as_deref())?;
        let reference = &pinned.pack_ref;
        let data = json!({
            "pack_ref": reference,
            "environment": self.environment,
            "tenant_id": pinned.tenant,
            "event": event(&pinned.outcome),
        });
        Ok(Success::new(data, format!("{reference} {}\n", self.environment)).remark(pinned.outcome.to_string()))
    }
}
