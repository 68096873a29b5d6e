//! `deed plan compile`: a plan becomes frozen, hashed step contracts.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::plans::{compiled_text, write_compiled};
use deed_model::CompiledPlan;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Compile a plan to frozen step contracts, each with its hash.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed plan compile weekly.plan.yaml --out weekly.json")]
pub(crate) struct Compile {
    #[command(flatten)]
    given: PlanArgs,
    /// File to write the compiled plan to; only hashes are printed then.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A compiled plan; with `--out` its hashes alone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum CompiledOutput {
    /// The hashes, with `--out`.
    Written {
        /// The name of the plan.
        plan: String,
        /// The hash of the compiled plan.
        plan_hash: String,
        /// The hash of each step contract, by step.
        steps: BTreeMap<String, String>,
        /// The file that was written.
        written: PathBuf,
    },
    /// The compiled plan.
    Plan(Box<CompiledPlan>),
}

impl Compile {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (plan, report) = self.given.compiled(global)?;
        let Some(out) = &self.out else {
            let text = compiled_text(&plan)?;
            return Ok(Success::new(CompiledOutput::Plan(Box::new(plan)), text).document().report(report));
        };
        write_compiled(out, &plan)?;
        let mut text = format!("{} {}\n", plan.plan_hash, plan.plan);
        let mut hashes = BTreeMap::new();
        for step in &plan.steps {
            text.push_str(&format!("{} {}\n", step.spec_hash, step.step_id));
            hashes.insert(step.step_id.clone(), step.spec_hash.to_string());
        }
        let data = CompiledOutput::Written {
            plan: plan.plan,
            plan_hash: plan.plan_hash.to_string(),
            steps: hashes,
            written: out.clone(),
        };
        Ok(Success::new(data, text).report(report))
    }
}
