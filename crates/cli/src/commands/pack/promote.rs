//! `deed pack promote`: a version that was used in an environment is confirmed there.

use super::accept::Accept;
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use schemars::JsonSchema;
use serde::Serialize;

/// Promote a pinned version that was used in its environment, through the release gates.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack promote ctxpack.support@1.0.0 --env prod")]
pub(crate) struct Promote {
    /// Pinned version, such as ctxpack.support@1.0.0.
    pack: String,
    /// Environment, such as prod.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Tenant of the environment [default: the registry's tenant].
    #[arg(long)]
    tenant: Option<String>,
    #[command(flatten)]
    accept: Accept,
}

/// A version that is promoted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PromotedPack {
    /// The version.
    pack_ref: String,
    /// The environment.
    environment: String,
    /// The event in the log; null where it was promoted before.
    event: Option<Recorded>,
}

impl Promote {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let tenant = self.tenant.as_deref();
        let (reference, outcome) =
            packs::promote(&global.session(), &self.pack, &self.environment, tenant, &self.accept.acceptance())?;
        let data = PromotedPack {
            pack_ref: reference.to_string(),
            environment: self.environment.clone(),
            event: event(&outcome),
        };
        Ok(Success::new(data, format!("{reference} {}\n", self.environment)).remark(outcome.to_string()))
    }
}
