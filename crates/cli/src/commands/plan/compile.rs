//! `deed plan compile`: a plan becomes frozen, hashed step contracts.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files::{self, Access, Existing};
use serde_json::json;
use std::path::PathBuf;

/// Compile a plan to step contracts, each with its hash.
#[derive(Debug, Args)]
pub(crate) struct Compile {
    #[command(flatten)]
    given: PlanArgs,
    /// Write the compiled plan here, and only its hashes to stdout.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Compile {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (plan, report) = self.given.compiled(global)?;
        let data = serde_json::to_value(&plan).map_err(AppError::internal)?;
        let whole = serde_json::to_string_pretty(&data).map_err(AppError::internal)? + "\n";
        let Some(out) = &self.out else { return Ok(Success::new(data, whole).report(report)) };
        files::write(out, whole.as_bytes(), Existing::Replace, Access::Shared)?;
        let mut text = format!("{} {}\n", plan.plan_hash, plan.plan);
        let mut hashes = serde_json::Map::new();
        for step in &plan.steps {
            text.push_str(&format!("{} {}\n", step.spec_hash, step.step_id));
            hashes.insert(step.step_id.clone(), json!(step.spec_hash));
        }
        let data = json!({ "plan": plan.plan, "plan_hash": plan.plan_hash, "steps": hashes, "written": out });
        Ok(Success::new(data, text).report(report))
    }
}
