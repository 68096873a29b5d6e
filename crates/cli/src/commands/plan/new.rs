//! `deed plan new`: a new plan that compiles.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::scaffold::plan;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Write a commented plan that compiles, and runs once its inputs are there.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed plan new audit
  deed plan new audit --out plans/audit.yaml")]
pub(crate) struct New {
    /// Name of the plan: lowercase words with dashes.
    name: String,
    /// File to write to [default: NAME.plan.yaml].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A plan that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NewPlan {
    /// Its file.
    written: String,
}

impl New {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let shown = plan(&self.name, self.out.as_deref())?.display().to_string();
        let text = format!("{shown}\n");
        Ok(Success::new(NewPlan { written: shown.clone() }, text).remark(format!("next: `deed plan check {shown}`")))
    }
}
