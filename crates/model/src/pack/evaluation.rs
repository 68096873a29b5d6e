//! The evaluation layer: score targets and release gates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Score targets and release gates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EvaluationLayer {
    /// A target for each intent.
    pub eval_targets: Vec<EvalTarget>,
    /// Limits on regressions between versions.
    pub release_gates: Vec<ReleaseGate>,
}

/// The target of one intent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EvalTarget {
    /// The intent.
    #[schemars(length(min = 1))]
    pub intent: String,
    /// Share of runs that comply with policy; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub policy: Option<f64>,
    /// Share of runs that complete the task; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub utility: Option<f64>,
    /// 99th percentile of latency in milliseconds; lower is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub latency_p99_ms: Option<f64>,
    /// Share of runs without harm; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub safety: Option<f64>,
    /// Cost of a decision in cents; lower is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub economics_cents_per_decision: Option<f64>,
}

impl EvalTarget {
    /// Returns the target for a metric.
    pub fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Policy => self.policy,
            Metric::Utility => self.utility,
            Metric::LatencyP99Ms => self.latency_p99_ms,
            Metric::Safety => self.safety,
            Metric::EconomicsCentsPerDecision => self.economics_cents_per_decision,
        }
    }
}

/// A metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Metric {
    /// Compliance with policy.
    #[serde(rename = "policy")]
    Policy,
    /// Task success.
    #[serde(rename = "utility")]
    Utility,
    /// Latency.
    #[serde(rename = "latency_p99_ms")]
    LatencyP99Ms,
    /// Safety.
    #[serde(rename = "safety")]
    Safety,
    /// Cost.
    #[serde(rename = "economics_cents_per_decision")]
    EconomicsCentsPerDecision,
}

/// The direction in which a metric improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricDirection {
    /// Higher is better, so a higher target is stricter.
    Higher,
    /// Lower is better, so a lower target is stricter.
    Lower,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 5] =
        [Self::Policy, Self::Utility, Self::LatencyP99Ms, Self::Safety, Self::EconomicsCentsPerDecision];

    /// Returns the metric's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Utility => "utility",
            Self::LatencyP99Ms => "latency_p99_ms",
            Self::Safety => "safety",
            Self::EconomicsCentsPerDecision => "economics_cents_per_decision",
        }
    }

    /// Returns the direction in which the metric improves.
    pub fn aim(self) -> MetricDirection {
        match self {
            Self::Policy | Self::Utility | Self::Safety => MetricDirection::Higher,
            Self::LatencyP99Ms | Self::EconomicsCentsPerDecision => MetricDirection::Lower,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Metric {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|m| m.as_str() == text).ok_or(())
    }
}

/// A limit on the regression of a metric between versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReleaseGate {
    /// The metric.
    pub metric: Metric,
    /// The largest regression that is allowed.
    #[schemars(range(min = 0))]
    pub max_delta: f64,
}
