//! `deed profile explain`: every effective value with its origin.

use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{self, ExplainRequest};
use deed_model::ProfileSnapshot;
use deed_profile::{ExplainedRow, table};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Print every effective value of a profile with the level and the line that it comes from.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile explain strict-compliance
  deed profile explain ./team.yaml --workspace workspace.yaml \\
    --key operator_planner")]
pub(crate) struct Explain {
    /// Profile: a shipped one such as strict-compliance, or a file such as ./team.yaml.
    profile: String,
    /// Governed settings of all runs [default: settings.yaml in the home, if it is there].
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Settings of the workspace.
    #[arg(long, value_name = "FILE")]
    workspace: Option<PathBuf>,
    /// Print only the keys that begin with this.
    #[arg(long, value_name = "PREFIX")]
    key: Option<String>,
}

/// A resolved profile.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExplainedProfile {
    /// The profile.
    profile_ref: String,
    /// The hash of the profile's document.
    profile_hash: String,
    /// The hash of the snapshot.
    snapshot_hash: String,
    /// The effective values, by key.
    values: Vec<ExplainedRow>,
    /// The snapshot that would govern a run.
    snapshot: ProfileSnapshot,
}

impl Explain {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = ExplainRequest {
            profile: self.profile.clone(),
            settings: self.settings.clone(),
            workspace: self.workspace.clone(),
            run_workspace: None,
        };
        let explained = profiles::explain(&global.session(), &request)?;
        let prefix = self.key.as_deref().unwrap_or_default();
        let values: Vec<ExplainedRow> = explained.rows.into_iter().filter(|row| row.key.starts_with(prefix)).collect();
        let mut text = String::new();
        for line in table(&values) {
            let _ = writeln!(text, "{line}");
        }
        let resolved = explained.resolved;
        let _ = writeln!(text, "{} snapshot {}", resolved.snapshot.profile_ref, resolved.snapshot_hash);
        let data = ExplainedProfile {
            profile_ref: resolved.snapshot.profile_ref.to_string(),
            profile_hash: resolved.snapshot.profile_hash.to_string(),
            snapshot_hash: resolved.snapshot_hash.to_string(),
            values,
            snapshot: resolved.snapshot,
        };
        Ok(Success::new(data, text).report(resolved.report))
    }
}
