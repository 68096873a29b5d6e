//! `deed profile unbind`: the binding of a tenant, a workspace or a run is ended.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, BindTo};
use deed_model::ProfileScope;
use schemars::JsonSchema;
use serde::Serialize;

/// Remove the binding of a profile to the tenant, a workspace or a run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile unbind --reason \"each workspace has its own\"
  deed profile unbind --workspace reports \\
    --reason \"the tenant's is enough\"")]
pub(crate) struct Unbind {
    /// Workspace whose binding ends [default: the tenant of the home].
    #[arg(long, value_name = "NAME", conflicts_with = "run")]
    workspace: Option<String>,
    /// Run whose binding ends.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
}

/// A binding that was ended.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EndedBinding {
    /// The scope.
    scope: ProfileScope,
    /// The reason.
    reason: String,
    /// The event in the log; null where it was ended before.
    event: Option<Recorded>,
}

impl Unbind {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let from = BindTo::named(self.workspace.as_deref(), self.run.as_deref());
        let unbound = profiles::unbind(&global.session(), &from, &self.reason)?;
        let text = format!("no profile for {}\n", unbound.scope);
        let remark = unbound.outcome.to_string();
        let event = event(&unbound.outcome);
        let data = EndedBinding { scope: unbound.scope, reason: self.reason.clone(), event };
        Ok(Success::new(data, text).remark(remark))
    }
}
