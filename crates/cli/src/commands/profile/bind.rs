//! `deed profile bind`: a published profile for a tenant, a workspace or a run.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, BindTo};
use deed_model::ProfileScope;
use schemars::JsonSchema;
use serde::Serialize;

/// Bind a published profile to the tenant, a workspace or a run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile bind team-default@1.0.0
  deed profile bind team-default@1.0.0 --workspace reports")]
pub(crate) struct Bind {
    /// Published profile, such as team-default@1.0.0.
    profile: String,
    /// Workspace to bind it to [default: the tenant of the home].
    #[arg(long, value_name = "NAME", conflicts_with = "run")]
    workspace: Option<String>,
    /// Run to bind it to.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

/// A profile that was bound.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BoundProfile {
    /// Its reference.
    profile_ref: String,
    /// The scope.
    scope: ProfileScope,
    /// True where an event was recorded; false where it was bound before.
    recorded: bool,
}

impl Bind {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let to = BindTo::named(self.workspace.as_deref(), self.run.as_deref());
        let bound = profiles::bind(&global.session(), &self.profile, &to)?;
        let recorded = bound.outcome != deed_store::Outcome::AlreadyDone;
        let text = format!("{} for {}\n", bound.profile_ref, bound.scope);
        let remark = format!("bound: {}", bound.outcome);
        let data = BoundProfile { profile_ref: bound.profile_ref.to_string(), scope: bound.scope, recorded };
        Ok(Success::new(data, text).remark(remark))
    }
}
