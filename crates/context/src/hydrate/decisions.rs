//! The decisions of a pack, and the sources of the evidence that they require.

use deed_model::{ContextPack, DecisionSpec};
use deed_pack::{APPROVAL_OBLIGATION, EvidenceSource, EvidenceSources};
use std::collections::BTreeSet;

/// A decision of the pack.
#[derive(Debug)]
pub(crate) struct HydratedDecision {
    pub(crate) spec: DecisionSpec,
    pub(crate) required: Vec<Requirement>,
}

/// Evidence that is required by name, and everything that can supply it.
#[derive(Debug)]
pub(crate) struct Requirement {
    pub(crate) name: String,
    pub(crate) sources: Vec<EvidenceSource>,
}

/// Returns the decisions in document order.
pub(super) fn decisions(pack: &ContextPack, sources: &EvidenceSources) -> Vec<HydratedDecision> {
    let specs = pack.decision_layer.decision_specs.iter();
    specs
        .map(|spec| HydratedDecision { spec: spec.clone(), required: requirements(&spec.required_evidence, sources) })
        .collect()
}

/// Resolves the names that are required; an approval is met by a person and not by evidence.
pub(super) fn requirements(names: &[String], sources: &EvidenceSources) -> Vec<Requirement> {
    let evidence = names.iter().filter(|name| *name != APPROVAL_OBLIGATION);
    evidence.map(|name| Requirement { name: name.clone(), sources: sources.resolve(name) }).collect()
}

/// Returns the decisions of an intent, as indices: those that its rules govern, and those that no rule governs.
pub(super) fn of_intent(pack: &ContextPack, intent: &str, decisions: &[HydratedDecision]) -> Vec<usize> {
    let bound = |covers: bool| -> BTreeSet<&str> {
        let rules = pack
            .rules()
            .filter(|(_, rule)| !covers || rule.applies_to.as_ref().is_none_or(|scope| scope.covers(intent)));
        rules.filter_map(|(_, rule)| rule.decision_binding.as_deref()).collect()
    };
    let (own, all) = (bound(true), bound(false));
    let concerns = |key: &str| own.contains(key) || !all.contains(key);
    let positions = decisions.iter().enumerate().filter(|(_, decision)| concerns(&decision.spec.decision_key));
    positions.map(|(at, _)| at).collect()
}
