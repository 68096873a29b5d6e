//! Words of releases: the metrics that may get worse on the record, named archives, and triggers of a recheck.

use crate::Metric;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The metric of a regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegressionMetric {
    /// Compliance with policy.
    Policy,
    /// Task success.
    Utility,
    /// Latency.
    LatencyP99Ms,
    /// Safety.
    Safety,
    /// Cost.
    EconomicsCentsPerDecision,
    /// The golden cases: one was removed, or expects less.
    Golden,
    /// Text of the pack that a model reads.
    PromptText,
    /// The corrections of operators: one does not come out as it states.
    Correction,
}

impl RegressionMetric {
    /// All metrics.
    pub const ALL: [Self; 8] = [
        Self::Policy,
        Self::Utility,
        Self::LatencyP99Ms,
        Self::Safety,
        Self::EconomicsCentsPerDecision,
        Self::Golden,
        Self::PromptText,
        Self::Correction,
    ];

    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Utility => "utility",
            Self::LatencyP99Ms => "latency_p99_ms",
            Self::Safety => "safety",
            Self::EconomicsCentsPerDecision => "economics_cents_per_decision",
            Self::Golden => "golden",
            Self::PromptText => "prompt_text",
            Self::Correction => "correction",
        }
    }
}

impl From<Metric> for RegressionMetric {
    fn from(metric: Metric) -> Self {
        match metric {
            Metric::Policy => Self::Policy,
            Metric::Utility => Self::Utility,
            Metric::LatencyP99Ms => Self::LatencyP99Ms,
            Metric::Safety => Self::Safety,
            Metric::EconomicsCentsPerDecision => Self::EconomicsCentsPerDecision,
        }
    }
}

impl fmt::Display for RegressionMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for RegressionMetric {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::as_str).join(", ");
        Self::ALL
            .into_iter()
            .find(|metric| metric.as_str() == text)
            .ok_or_else(|| format!("`{text}` is not a metric of a release; there are {}", known()))
    }
}

/// The kind of recordings in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArchiveKind {
    /// Requests of incidents.
    Incident,
    /// Requests that an operator corrected.
    Correction,
}

impl ArchiveKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Incident, Self::Correction];

    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Incident => "incident",
            Self::Correction => "correction",
        }
    }
}

impl fmt::Display for ArchiveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ArchiveKind {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| format!("`{text}` is not a kind of archive; there are incident and correction"))
    }
}

/// A change of something that a pack refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RecheckTrigger {
    /// A policy bundle changed: policy lint, golden replay, approval gates.
    PolicyBundleUpdated,
    /// The ontology changed: entity types, relationships, namespaces, evidence mappings.
    OntologyUpdated,
    /// An adapter's schema changed: tool schemas and argument constraints.
    AdapterSchemaUpdated,
    /// The decision catalogue changed: bindings, outcomes, required evidence.
    DecisionCatalogUpdated,
    /// The memory policy changed: recall, write-back, consent.
    MemoryPolicyUpdated,
    /// An evaluator changed: golden replay and score deltas.
    EvaluatorUpdated,
    /// The model's configuration changed: representative cases before promotion.
    ModelConfigUpdated,
    /// The runtime has another version: compatibility and golden replay.
    RuntimeUpdated,
}

impl RecheckTrigger {
    /// All triggers.
    pub const ALL: [Self; 8] = [
        Self::PolicyBundleUpdated,
        Self::OntologyUpdated,
        Self::AdapterSchemaUpdated,
        Self::DecisionCatalogUpdated,
        Self::MemoryPolicyUpdated,
        Self::EvaluatorUpdated,
        Self::ModelConfigUpdated,
        Self::RuntimeUpdated,
    ];

    /// Returns the trigger's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PolicyBundleUpdated => "POLICY_BUNDLE_UPDATED",
            Self::OntologyUpdated => "ONTOLOGY_UPDATED",
            Self::AdapterSchemaUpdated => "ADAPTER_SCHEMA_UPDATED",
            Self::DecisionCatalogUpdated => "DECISION_CATALOG_UPDATED",
            Self::MemoryPolicyUpdated => "MEMORY_POLICY_UPDATED",
            Self::EvaluatorUpdated => "EVALUATOR_UPDATED",
            Self::ModelConfigUpdated => "MODEL_CONFIG_UPDATED",
            Self::RuntimeUpdated => "RUNTIME_UPDATED",
        }
    }
}

impl fmt::Display for RecheckTrigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for RecheckTrigger {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|t| t.as_str().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is not a trigger; there are {names}")
        })
    }
}
