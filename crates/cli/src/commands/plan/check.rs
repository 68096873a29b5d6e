//! `deed plan check`: the errors of a plan.

use super::source::PlanArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_diag::Severity;
use deed_model::{BindingRank, StepKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Check a plan: report everything that is wrong with it, each with a fix.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed plan check weekly.plan.yaml
  deed plan check weekly.plan.yaml --deny-warnings --lines")]
pub(crate) struct Check {
    #[command(flatten)]
    given: PlanArgs,
    /// End with 1 on warnings too.
    #[arg(long)]
    deny_warnings: bool,
}

/// A plan that was accepted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CheckedPlan {
    /// Its name.
    plan: String,
    /// Steps of the author.
    steps: usize,
    /// Adapters that the compiler inserted.
    adapters: usize,
    /// Approval gates.
    gates: usize,
    /// The number of bound inputs, by rank.
    bindings: BTreeMap<String, usize>,
    /// The hash of the compiled plan.
    plan_hash: String,
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
        let counts: Vec<String> = ranks
            .into_iter()
            .filter(|rank| of(*rank) > 0)
            .map(|rank| format!("{} {}", of(rank), rank.as_str()))
            .collect();
        let steps = plan.steps.len() - adapters;
        let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
        let text = format!(
            "{}: {}, {} inserted, {}; bindings: {}\n",
            plan.plan,
            count(steps, "step", "steps"),
            count(adapters, "adapter", "adapters"),
            count(plan.gates.len(), "gate", "gates"),
            if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
        );
        let bindings = ranks.into_iter().map(|rank| (rank.as_str().replace(' ', "_"), of(rank))).collect();
        let data = CheckedPlan {
            plan: plan.plan.clone(),
            steps,
            adapters,
            gates: plan.gates.len(),
            bindings,
            plan_hash: plan.plan_hash.to_string(),
        };
        Ok(Success::new(data, text).report(report))
    }
}
