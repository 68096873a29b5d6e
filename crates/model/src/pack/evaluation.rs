//! Score targets and the gates that judge a release.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How success is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EvaluationLayer {
    /// A target for each intent.
    pub eval_targets: Vec<EvalTarget>,
    /// What may not get worse between versions.
    pub release_gates: Vec<ReleaseGate>,
}

/// The target of one intent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EvalTarget {
    /// Which intent.
    #[schemars(length(min = 1))]
    pub intent: String,
    /// Share of runs that keep to policy; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub policy: Option<f64>,
    /// Share of runs that do the job; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub utility: Option<f64>,
    /// The slowest run in a hundred, in milliseconds; lower is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub latency_p99_ms: Option<f64>,
    /// Share of runs that do no harm; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub safety: Option<f64>,
    /// Cost of a decision in cents; lower is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub economics_cents_per_decision: Option<f64>,
}

impl EvalTarget {
    /// The target for a metric.
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

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Metric {
    /// Keeps to policy.
    #[serde(rename = "policy")]
    Policy,
    /// Does the job.
    #[serde(rename = "utility")]
    Utility,
    /// Is quick enough.
    #[serde(rename = "latency_p99_ms")]
    LatencyP99Ms,
    /// Does no harm.
    #[serde(rename = "safety")]
    Safety,
    /// Is cheap enough.
    #[serde(rename = "economics_cents_per_decision")]
    EconomicsCentsPerDecision,
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// More is better, so a higher target is stricter.
    Higher,
    /// Less is better, so a lower target is stricter.
    Lower,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 5] =
        [Self::Policy, Self::Utility, Self::LatencyP99Ms, Self::Safety, Self::EconomicsCentsPerDecision];

    /// The metric as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Utility => "utility",
            Self::LatencyP99Ms => "latency_p99_ms",
            Self::Safety => "safety",
            Self::EconomicsCentsPerDecision => "economics_cents_per_decision",
        }
    }

    /// Which way is better.
    pub fn aim(self) -> Aim {
        match self {
            Self::Policy | Self::Utility | Self::Safety => Aim::Higher,
            Self::LatencyP99Ms | Self::EconomicsCentsPerDecision => Aim::Lower,
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

/// What may not get worse between versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReleaseGate {
    /// Which metric.
    pub metric: Metric,
    /// By how much it may get worse.
    #[schemars(range(min = 0))]
    pub max_delta: f64,
}
