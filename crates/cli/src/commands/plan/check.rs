//! `deed plan check`: everything that is wrong with a plan.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_diag::Severity;
use deed_model::{BindingRank, StepKind};
use serde_json::json;

/// Check a plan against the catalogue: all findings, each at its place with a way out.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    given: PlanArgs,
    /// Warnings end with 1, too.
    #[arg(long)]
    deny_warnings: bool,
}

impl Check {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (plan, report) = self.given.compiled(global)?;
        if self.deny_warnings && report.count(Severity::Warning) > 0 {
            return Err(report.into());
        }
        let adapters = plan.steps.iter().filter(|step| step.step_kind == StepKind::InsertedAdapter).count();
        let ranks = [BindingRank::Exact, BindingRank::AcceptedKind, BindingRank::ByAdapter, BindingRank::Generic];
        let of =
            |rank: BindingRank| plan.steps.iter().flat_map(|step| &step.bindings).filter(|b| b.rank == rank).count();
        let told: Vec<String> = ranks
            .into_iter()
            .filter(|rank| of(*rank) > 0)
            .map(|rank| format!("{} {}", of(rank), rank.as_str()))
            .collect();
        let steps = plan.steps.len() - adapters;
        let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
        let text = format!(
            "{}: {}, {} put in, {}; bindings: {}\n",
            plan.plan,
            count(steps, "step", "steps"),
            count(adapters, "adapter", "adapters"),
            count(plan.gates.len(), "gate", "gates"),
            if told.is_empty() { "none".to_owned() } else { told.join(", ") }
        );
        let ranks: serde_json::Map<String, serde_json::Value> =
            ranks.into_iter().map(|rank| (rank.as_str().replace(' ', "_"), json!(of(rank)))).collect();
        let data = json!({
            "plan": plan.plan, "steps": steps, "adapters": adapters, "gates": plan.gates.len(), "bindings": ranks,
            "plan_hash": plan.plan_hash,
        });
        Ok(Success::new(data, text).report(report))
    }
}
