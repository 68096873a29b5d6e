//! `deed pack pin`: an environment uses this version from now on. Pinning a lower version is a rollback.

use crate::args::Global;
use crate::commands::registry::{self, event, failure, pack_ref, recorded, stamp};
use crate::failure::Failure;
use crate::output::Success;
use clap::Args;
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
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let reference = pack_ref(&self.pack)?;
        let (home, registry) = registry::open(global)?;
        let tenant = self.tenant.as_ref().unwrap_or(&home.config.tenant);
        let outcome = registry.pin(&reference, &self.environment, tenant, &stamp(global)?).map_err(failure)?;
        let data = json!({
            "pack_ref": reference,
            "environment": self.environment,
            "tenant_id": tenant,
            "event": event(&outcome),
        });
        Ok(Success::new(data, format!("{reference} {}\n", self.environment)).remark(recorded(&outcome)))
    }
}
