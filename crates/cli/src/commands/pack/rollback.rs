//! `deed pack rollback`: an environment uses the version again that it had before.

use super::pin::shown;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};

/// Roll an environment back to the version and the overlays that it had before.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack rollback ctxpack.support --env prod")]
pub(crate) struct Rollback {
    /// Id of the pack, such as ctxpack.support.
    pack_id: String,
    /// Environment, such as prod.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Tenant of the environment [default: the registry's tenant].
    #[arg(long)]
    tenant: Option<String>,
}

impl Rollback {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let tenant = self.tenant.as_deref();
        let pinned = packs::roll_back(&global.session(), &self.pack_id, &self.environment, tenant)?;
        Ok(shown(&pinned, &self.environment, true))
    }
}
