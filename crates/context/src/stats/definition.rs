//! The fourteen metrics: their meaning, as data that a report carries.

use schemars::JsonSchema;
use serde::Serialize;

/// A metric over an archive of recorded compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MetricName {
    /// Compile success rate by pack version.
    CompileSuccessRate,
    /// Compile latency, p95 and p99.
    CompileLatency,
    /// Tool-surface size by intent.
    ToolSurfaceSize,
    /// Policy rule activation rate.
    PolicyRuleActivationRate,
    /// Bucket truncation rate.
    BucketTruncationRate,
    /// Required-evidence resolution rate.
    RequiredEvidenceResolutionRate,
    /// Replay determinism rate.
    ReplayDeterminismRate,
    /// Release-gate pass rate.
    ReleaseGatePassRate,
    /// Rollback time.
    RollbackTime,
    /// Compile success per pack version, over distinct inputs.
    DistinctCompileSuccessRate,
    /// Compile time, p50 and p99.
    CompileTime,
    /// Truncation per bucket and intent.
    BucketTruncationByBucket,
    /// The surfaced share of the declared capabilities.
    ToolSurfaceShare,
    /// Identical compiled contexts on identical inputs.
    IdenticalContextRate,
}

impl MetricName {
    /// Returns the metric's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CompileSuccessRate => "compile_success_rate",
            Self::CompileLatency => "compile_latency",
            Self::ToolSurfaceSize => "tool_surface_size",
            Self::PolicyRuleActivationRate => "policy_rule_activation_rate",
            Self::BucketTruncationRate => "bucket_truncation_rate",
            Self::RequiredEvidenceResolutionRate => "required_evidence_resolution_rate",
            Self::ReplayDeterminismRate => "replay_determinism_rate",
            Self::ReleaseGatePassRate => "release_gate_pass_rate",
            Self::RollbackTime => "rollback_time",
            Self::DistinctCompileSuccessRate => "distinct_compile_success_rate",
            Self::CompileTime => "compile_time",
            Self::BucketTruncationByBucket => "bucket_truncation_by_bucket",
            Self::ToolSurfaceShare => "tool_surface_share",
            Self::IdenticalContextRate => "identical_context_rate",
        }
    }
}

/// The list that a metric belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MetricSource {
    /// The operational metrics of packs.
    ContextPack,
    /// The evaluation metrics of the compiler.
    Compiler,
}

/// The unit of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MetricUnit {
    /// A share, from 0 to 1.
    Share,
    /// A number of capabilities.
    Capabilities,
    /// Microseconds.
    Microseconds,
    /// Milliseconds.
    Milliseconds,
}

/// The direction in which a metric improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Higher is better.
    Higher,
    /// Lower is better.
    Lower,
    /// Neither is: a change is shown, and what went silent is a regression.
    Neither,
}

/// The meaning of a metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MetricDefinition {
    /// The metric.
    pub metric: MetricName,
    /// The list that it belongs to.
    pub source: MetricSource,
    /// The counted part, or the measured quantity.
    pub numerator: &'static str,
    /// The whole that it is a part of, or the samples.
    pub denominator: &'static str,
    /// The place that the facts come from.
    pub origin: &'static str,
    /// The unit.
    pub unit: MetricUnit,
    /// The direction in which it improves.
    pub better: Better,
    /// The rule by which a change between two versions is a regression.
    pub regression: &'static str,
}
