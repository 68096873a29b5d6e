//! The gates to run again when something that a pack refers to has changed.

use crate::gates::Gate;
use std::fmt;
use std::str::FromStr;

/// A change that requires gates to run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
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
    /// An evaluator changed: golden replay and score targets.
    EvaluatorUpdated,
    /// The model's configuration changed: representative cases before promotion.
    ModelConfigUpdated,
}

impl Trigger {
    /// All triggers.
    pub const ALL: [Self; 7] = [
        Self::PolicyBundleUpdated,
        Self::OntologyUpdated,
        Self::AdapterSchemaUpdated,
        Self::DecisionCatalogUpdated,
        Self::MemoryPolicyUpdated,
        Self::EvaluatorUpdated,
        Self::ModelConfigUpdated,
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
        }
    }

    /// Returns the gates that check what the trigger may have broken. The schema gate is always among them, since no
    /// other gate can run on a document that is not a pack.
    pub fn gates(self) -> &'static [Gate] {
        match self {
            Self::PolicyBundleUpdated => &[Gate::Schema, Gate::References, Gate::Policy, Gate::Risk, Gate::Replay],
            Self::OntologyUpdated => &[Gate::Schema, Gate::References, Gate::Tenancy, Gate::Replay],
            Self::AdapterSchemaUpdated => &[Gate::Schema, Gate::References, Gate::Risk, Gate::Security],
            Self::DecisionCatalogUpdated => &[Gate::Schema, Gate::References, Gate::Risk],
            Self::MemoryPolicyUpdated => &[Gate::Schema, Gate::Tenancy, Gate::Replay, Gate::Security],
            Self::EvaluatorUpdated => &[Gate::Schema, Gate::Replay, Gate::Evaluation],
            Self::ModelConfigUpdated => &[Gate::Schema, Gate::Replay],
        }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Trigger {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|t| t.as_str().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|t| t.as_str()).collect();
            format!("`{text}` is not a trigger; there are {}", names.join(", "))
        })
    }
}
