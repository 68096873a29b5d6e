//! The Context Pack: ten required layers and two optional ones.

mod budget;
mod business;
mod contract_meta;
mod decision;
mod evaluation;
mod intelligence;
mod intent;
mod memory;
mod pack_meta;
mod policy;
mod tone;
mod tooling;

pub use budget::{BudgetLayer, BudgetSplit};
pub use business::{BusinessContext, BusinessSummary};
pub use contract_meta::{Compatibility, ContractMeta};
pub use decision::{DecisionLayer, DecisionSpec, InsufficientEvidence, OutcomeEffect};
pub use evaluation::{EvalTarget, EvaluationLayer, Metric, MetricDirection, ReleaseGate};
pub use intelligence::{IdentityLayer, IntelligenceRefs, KnowledgeGraph, Ontology};
pub use intent::{IntentEntry, IntentLayer};
pub use memory::{ConsentGating, MemoryLayer, MemoryPolicy, MemoryScope, PromotionThresholds, RecallPolicy, TierTtls};
pub use pack_meta::{EnvironmentDefaults, PackMeta, Tenant};
pub use policy::{
    ApprovalGate, ArgConstraint, Guardrail, Guardrails, IntentScope, PolicyBundle, PolicyDsl, PolicyLanguage,
    PolicyLayer, RedactionPattern, RedactionRule, ReviewPolicy, ReviewRole, Rule, RuleOutcome,
};
pub use tone::{PromptBlock, ToneAndComms};
pub use tooling::{Adapter, AdapterType, Capability, CapabilitySpec, Permission, ToolingLayer};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A Context Pack: everything that any model in a run may see and do, as one signed, immutable document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ContextPack {
    /// The URL of the schema of this document, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Artifact identity, issuer and compatibility.
    pub contract_meta: ContractMeta,
    /// Pack identity, tenant, environment defaults, cache lifetime and classification.
    pub pack_meta: PackMeta,
    /// Ontology, graph snapshot rule, identity namespaces and embeddings.
    pub intelligence_refs: IntelligenceRefs,
    /// Business summary and non-negotiable constraints.
    pub business_context: BusinessContext,
    /// Policy bundles, guardrails and approval gates.
    pub policy_layer: PolicyLayer,
    /// Adapters with their capabilities, and the permissions that expose them.
    pub tooling_layer: ToolingLayer,
    /// The typed decisions that a run may emit.
    pub decision_layer: DecisionLayer,
    /// Lifetimes of memory, and rules for write-back.
    pub memory_layer: MemoryLayer,
    /// Score targets and release gates.
    pub evaluation_layer: EvaluationLayer,
    /// The tone of final text.
    pub tone_and_comms: ToneAndComms,
    /// The catalogue of intents; without it, the intents of the score targets are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_layer: Option<IntentLayer>,
    /// The allocation of a run's tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_layer: Option<BudgetLayer>,
}

impl ContextPack {
    /// Returns the intents that the pack handles: its catalogue, or else the intents of its score targets.
    pub fn intents(&self) -> Vec<&str> {
        match &self.intent_layer {
            Some(layer) => layer.catalog.iter().map(|entry| entry.id.as_str()).collect(),
            None => self.evaluation_layer.eval_targets.iter().map(|target| target.intent.as_str()).collect(),
        }
    }

    /// Iterates over every rule with its bundle, in document order.
    pub fn rules(&self) -> impl Iterator<Item = (&PolicyBundle, &Rule)> {
        self.policy_layer.policy_bundles.iter().flat_map(|b| b.policy_dsl.rules.iter().map(move |r| (b, r)))
    }
}
