//! A hash for each layer of a pack, so that a stage's hash changes with the layer that it reads.

use deed_canon::{CanonError, ContentHash, TypeTag, hash};
use serde_json::{Value, json};

const LAYER_TAG: TypeTag = TypeTag::literal("deed/pack-layer/v1");

/// Hashes of the parts of the pack that each stage reads.
#[derive(Debug, Clone)]
pub(crate) struct Layers {
    /// The catalogue, or the score targets if there is none.
    pub(crate) intent: ContentHash,
    /// Rules, guardrails, gates, and the parts of the pack that predicates read.
    pub(crate) policy: ContentHash,
    /// Adapters and permissions.
    pub(crate) tools: ContentHash,
    /// Snapshot rule, ontology, namespaces, classification.
    pub(crate) evidence: ContentHash,
    /// Lifetimes and cap.
    pub(crate) memory: ContentHash,
    /// Splits, and the sources of the head.
    pub(crate) budget: ContentHash,
    /// The sources of the business block.
    pub(crate) buckets: ContentHash,
    /// Lifetime of a copy, and score targets.
    pub(crate) manifests: ContentHash,
}

impl Layers {
    pub(crate) fn of(pack: &Value) -> Result<Self, CanonError> {
        let layer = |name: &str| pack.get(name).cloned().unwrap_or_default();
        let meta = |name: &str| pack.get("pack_meta").and_then(|m| m.get(name)).cloned().unwrap_or_default();
        let take = |value: Value| hash(&LAYER_TAG, &value);
        let catalogue = match pack.get("intent_layer") {
            Some(catalogue) => json!({ "catalog": catalogue }),
            None => json!({ "targets": pack.get("evaluation_layer").and_then(|e| e.get("eval_targets")) }),
        };
        Ok(Self {
            intent: take(catalogue)?,
            policy: take(json!([layer("policy_layer"), meta("tenant"), meta("environment_defaults")]))?,
            tools: take(layer("tooling_layer"))?,
            evidence: take(json!([layer("intelligence_refs"), meta("data_classification"), meta("data_tags")]))?,
            memory: take(layer("memory_layer"))?,
            budget: take(json!([
                layer("budget_layer"),
                layer("tone_and_comms"),
                layer("decision_layer"),
                pack.get("business_context").and_then(|business| business.get("non_negotiables")),
                meta("environment_defaults"),
            ]))?,
            buckets: take(layer("business_context"))?,
            manifests: take(json!([
                meta("ttl_seconds"),
                pack.get("evaluation_layer").and_then(|evaluation| evaluation.get("eval_targets")),
            ]))?,
        })
    }
}
