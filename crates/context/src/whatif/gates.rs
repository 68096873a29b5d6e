//! Release gates, as far as a compile can judge them.

use super::compare::RequestComparison;
use deed_model::{ContextPack, Metric};
use serde::Serialize;
use std::collections::BTreeMap;

/// A release gate and its judgement.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GateJudgement {
    /// The metric.
    pub metric: Metric,
    /// The largest regression that is allowed.
    pub max_delta: f64,
    /// The measured regression, if a compile can tell.
    pub delta: Option<f64>,
    /// The verdict.
    pub verdict: GateVerdict,
    /// A description of the measure.
    pub measured: &'static str,
}

/// The verdict on a release gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// It passes.
    Passed,
    /// It fails.
    Failed,
    /// Only a run can tell.
    NotJudged,
}

/// Returns the strictest gates of all packs involved: a candidate cannot loosen the gates that it is judged by.
#[derive(Debug, Default)]
pub(super) struct Judge {
    gates: BTreeMap<Metric, f64>,
    /// Returns the largest target cost of a decision, in cents.
    cents: f64,
}

impl Judge {
    pub(super) fn learn(&mut self, pack: &ContextPack) {
        for gate in &pack.evaluation_layer.release_gates {
            let strictest = self.gates.entry(gate.metric).or_insert(gate.max_delta);
            *strictest = strictest.min(gate.max_delta);
        }
        let targets = pack.evaluation_layer.eval_targets.iter();
        let cents = targets.filter_map(|target| target.economics_cents_per_decision);
        self.cents = cents.fold(self.cents, f64::max);
    }

    pub(super) fn judge(&self, compared: &[RequestComparison]) -> Vec<GateJudgement> {
        let gates = self.gates.iter().map(|(metric, max_delta)| {
            let (delta, measured) = self.measure(*metric, compared);
            let verdict = match delta {
                None => GateVerdict::NotJudged,
                // A rounding error is not a regression.
                Some(delta) if delta <= max_delta + 1e-12 => GateVerdict::Passed,
                Some(_) => GateVerdict::Failed,
            };
            GateJudgement { metric: *metric, max_delta: *max_delta, delta, verdict, measured }
        });
        gates.collect()
    }

    fn measure(&self, metric: Metric, compared: &[RequestComparison]) -> (Option<f64>, &'static str) {
        let share = |count: usize| if compared.is_empty() { 0.0 } else { count as f64 / compared.len() as f64 };
        match metric {
            Metric::Policy => {
                let loosened = compared.iter().filter(|c| c.loosened).count();
                (Some(share(loosened)), "share of requests whose outcome, gates or denials are looser")
            }
            Metric::Safety => {
                let widened = compared.iter().filter(|c| c.widened).count();
                (Some(share(widened)), "share of requests that gain a writing capability or data, or lose a redaction")
            }
            Metric::EconomicsCentsPerDecision => {
                (Some(self.cost(compared)), "the target cost of a decision times the growth of its prompt")
            }
            Metric::Utility => (None, "task success shows only in runs"),
            Metric::LatencyP99Ms => (None, "latency shows only in runs"),
        }
    }

    /// Only requests that compile under both packs count for the cost.
    fn cost(&self, compared: &[RequestComparison]) -> f64 {
        let both = || compared.iter().filter(|c| c.tokens_before > 0 && c.tokens_after > 0);
        let sum = |part: fn(&RequestComparison) -> u64| both().map(part).sum::<u64>() as f64;
        let (before, after) = (sum(|c| c.tokens_before), sum(|c| c.tokens_after));
        if before == 0.0 { 0.0 } else { self.cents * (after / before - 1.0) }
    }
}
