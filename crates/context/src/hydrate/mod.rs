//! Hydration: predicates compiled, static text rendered and counted, layers hashed.
//!
//! Everything that does not depend on the request is done here, once for a pack and its overlays.

mod decisions;
mod head;
mod intents;
mod layers;
mod material;
mod policy;
mod redaction;
mod rule_text;
mod stat;
mod tool_text;
mod tools;

pub(crate) use decisions::{HydratedDecision, Requirement};
pub(crate) use head::Head;
pub(crate) use intents::HydratedIntent;
pub(crate) use layers::Layers;
pub(crate) use material::hydrate_for;
pub use material::{PackMaterial, hydrate};
pub(crate) use policy::{CompiledRule, HydratedControl, HydratedOutcome, HydratedRule};
pub(crate) use stat::StaticText;
pub(crate) use tool_text::{Demands, render as render_tool, words as bound_words};
pub(crate) use tools::{HydratedCapability, Ties};

use crate::refusal::Refusal;
use crate::text::Redactor;
use crate::tokens::Tokenizer;
use deed_canon::ContentHash;
use deed_diag::{Invariant as _, codes};
use deed_model::{ContextPack, EnvironmentEndpoints, PackRef, PackSource};
use deed_pack::{EvidenceSources, Resolved, snake};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A pack that is ready for compiling. Immutable, and shared between threads without a lock.
#[derive(Debug)]
pub struct Hydrated {
    pub(crate) pack: ContextPack,
    pub(crate) reference: String,
    pub(crate) base_hash: ContentHash,
    pub(crate) resolved_hash: ContentHash,
    pub(crate) overlays: Vec<(String, ContentHash)>,
    /// The origin of the pack, as the caller states it.
    pub(crate) source: PackSource,
    /// The endpoints of the environment, as the caller resolved them.
    pub(crate) endpoints: Option<EnvironmentEndpoints>,
    /// The types that `kg:` references may have, sorted; empty if the pack lists none and bounds none.
    pub(crate) graph_types: Vec<String>,
    pub(crate) layers: Layers,
    pub(crate) tokenizer: Arc<dyn Tokenizer>,
    pub(crate) redactor: Redactor,
    pub(crate) intents: BTreeMap<String, HydratedIntent>,
    pub(crate) rules: Vec<CompiledRule>,
    pub(crate) guardrails: Vec<HydratedControl>,
    pub(crate) gates: Vec<HydratedControl>,
    pub(crate) tools: Vec<HydratedCapability>,
    pub(crate) decisions: Vec<HydratedDecision>,
    pub(crate) business: StaticText,
    pub(crate) head: Head,
    pub(crate) tenant: Value,
    pub(crate) env: Value,
    /// Lifetimes of the four tiers in seconds.
    pub(crate) ttls: [(&'static str, Option<i64>); 4],
    /// Modes that were clamped while hydrating, for every ledger.
    pub(crate) clamped: Vec<String>,
}

impl Hydrated {
    /// Hydrates a resolved pack.
    ///
    /// # Errors
    /// If the document is not a pack, or one of its redaction rules is unusable.
    pub fn new(resolved: &Resolved, tokenizer: Arc<dyn Tokenizer>) -> Result<Self, Refusal> {
        let unusable =
            |what: String| Refusal::before(codes::UNUSABLE_PACK, what).help("run `deed pack lint` for details");
        let pack = ContextPack::deserialize(&resolved.pack)
            .map_err(|error| unusable(format!("the document cannot be read as a pack: {error}")))?;
        let reference = PackRef::of(&pack.pack_meta.pack_id, &pack.pack_meta.pack_version)
            .map_err(|error| unusable(error.to_string()))?
            .to_string();
        let redactor = redaction::redactor(&pack)?;
        let layers = Layers::of(&resolved.pack).map_err(|error| unusable(error.to_string()))?;
        let (tools, clamped) = tools::capabilities(&pack, &*tokenizer);
        let sources = EvidenceSources::of(&pack);
        let decisions = decisions::decisions(&pack, &sources);
        let rules = policy::rules(&pack, &tools, &sources, &*tokenizer).map_err(|error| unusable(error.to_string()))?;
        let (guardrails, gates) = (policy::guardrails(&pack), policy::gates(&pack));
        let intents = intents::intents(&pack, &rules, &decisions, guardrails.iter().chain(&gates));
        let business = StaticText::new(head::business(&pack), &*tokenizer);
        let head = Head::of(&pack, &*tokenizer);
        let tenant = json!({ "tenant_id": pack.pack_meta.tenant.tenant_id, "name": pack.pack_meta.tenant.name });
        let env = serde_json::to_value(&pack.pack_meta.environment_defaults).invariant("defaults are JSON");
        Ok(Self {
            reference,
            base_hash: resolved.base_hash,
            resolved_hash: resolved.hash,
            overlays: resolved.overlays.iter().map(|o| (o.overlay_ref.to_string(), o.content_hash)).collect(),
            source: PackSource::default(),
            endpoints: None,
            graph_types: graph_types(&pack),
            layers,
            redactor,
            intents,
            rules,
            guardrails,
            gates,
            tools,
            decisions,
            business,
            head,
            tenant,
            env,
            ttls: pack.memory_layer.memory_policy.tier_ttls.tiers().map(|(tier, ttl)| (tier, ttl.and_then(seconds))),
            clamped,
            tokenizer,
            pack,
        })
    }

    /// States the origin of the pack for every ledger.
    #[must_use]
    pub fn from_source(mut self, source: PackSource) -> Self {
        self.source = source;
        self
    }

    /// States the endpoints of the environment for every tool manifest.
    #[must_use]
    pub fn with_endpoints(mut self, endpoints: Option<EnvironmentEndpoints>) -> Self {
        self.endpoints = endpoints;
        self
    }

    /// Redacts a text by the rules of the pack.
    pub fn redacted(&self, text: &str) -> String {
        self.redactor.redact(text, &mut vec![0; self.redactor.rules().count()]).into_owned()
    }

    /// Returns the reference, `pack_id@x.y.z`.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// Returns the typed hash of the pack after its overlays.
    pub fn resolved_hash(&self) -> ContentHash {
        self.resolved_hash
    }

    /// Returns the pack after its overlays.
    pub fn pack(&self) -> &ContextPack {
        &self.pack
    }

    /// Returns the tokenizer.
    pub fn tokenizer(&self) -> &dyn Tokenizer {
        &*self.tokenizer
    }
}

/// Returns the types of the ontology, as they are written and as references customarily write them.
fn graph_types(pack: &ContextPack) -> Vec<String> {
    let ontology = &pack.intelligence_refs.ontology;
    let types = ontology.entity_types.iter().chain(&ontology.relationship_types);
    let mut names: Vec<String> = types.flat_map(|name| [name.clone(), snake(name)]).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Parses a lifetime to whole seconds.
fn seconds(text: &str) -> Option<i64> {
    let span: jiff::Span = text.parse().ok()?;
    let total = span.total((jiff::Unit::Second, jiff::SpanRelativeTo::days_are_24_hours())).ok()?;
    #[allow(clippy::cast_possible_truncation, reason = "a lifetime of 2^53 seconds and more is for ever")]
    (total > 0.0).then_some(total.min(9e15) as i64)
}
