//! The reasons against a memory by itself.

use super::super::Cx;
use super::super::evidence::ceiling;
use super::super::intent::Intent;
use deed_canon::timestamp;
use deed_memory::holds_personal_data;
use deed_model::{Classification, MemoryItem, MemoryPolicy, MemoryReason, MemoryScope};
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns every reason against a memory by itself.
pub(super) fn reasons(
    cx: Cx<'_>,
    intent: Intent<'_>,
    subjects: &BTreeSet<&str>,
    item: &MemoryItem,
) -> Vec<MemoryReason> {
    let run = cx.inputs.run.context();
    let policy = &cx.pack.pack.memory_layer.memory_policy;
    let mut found = Vec::new();
    if item.text.is_some() == item.fact.is_some() {
        found.push(MemoryReason::NoContent);
    }
    match item.tenant_id.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingTenant),
        Some(tenant) if tenant != run.tenant_id => found.push(MemoryReason::OtherTenant),
        Some(_) => {}
    }
    match item.subject.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingSubject),
        Some("*") if policy.scope == Some(MemoryScope::Subject) => found.push(MemoryReason::AnySubject),
        Some(subject) if subject != "*" && !subjects.contains(subject) => found.push(MemoryReason::OtherSubject),
        Some(_) => {}
    }
    match item.intent_id.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingIntent),
        Some(own) if own != "*" && own != intent.id => found.push(MemoryReason::OtherIntent),
        Some(_) => {}
    }
    match item.classification.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingClassification),
        Some(text) => match text.parse::<Classification>() {
            Err(()) => found.push(MemoryReason::UnknownClassification),
            Ok(level) if level > ceiling(cx) => found.push(MemoryReason::AboveClassification),
            Ok(_) => {}
        },
    }
    match item.class.as_deref() {
        None | Some("") => found.push(MemoryReason::MissingClass),
        Some(class) if !policy.write_classes_allowed.iter().any(|allowed| allowed == class) => {
            found.push(MemoryReason::ClassNotAllowed);
        }
        Some(_) => {}
    }
    if item.provenance.iter().all(|source| source.trim().is_empty()) {
        found.push(MemoryReason::MissingProvenance);
    }
    found.extend(consent(policy, item));
    found.extend(confidence(cx, item));
    found.extend(lifetime(cx, item));
    found
}

/// Checks that the pack allows the personal data of a memory, and that it was given with consent. What the pack does not
/// allow is not allowed.
fn consent(policy: &MemoryPolicy, item: &MemoryItem) -> Option<MemoryReason> {
    let fact = item.fact.as_ref();
    let texts = [item.text.as_deref(), fact.map(|fact| fact.entity.as_str()), fact.map(|fact| fact.predicate.as_str())];
    let (key, value) = fact.map_or((None, &Value::Null), |fact| (Some(fact.predicate.as_str()), &fact.value));
    if !item.personal_data && !holds_personal_data(texts.into_iter().flatten(), key, value) {
        return None;
    }
    if !policy.consent_gating.as_ref().is_some_and(|gating| gating.pii_write_back_allowed) {
        return Some(MemoryReason::PersonalDataNotAllowed);
    }
    item.consent.as_deref().is_none_or(str::is_empty).then_some(MemoryReason::MissingConsent)
}

/// Checks the confidence of a memory that states one and that no person accepted: a pack without a threshold has every
/// memory accepted by a person.
fn confidence(cx: Cx<'_>, item: &MemoryItem) -> Option<MemoryReason> {
    let stated = item.confidence.filter(|_| item.reviewed_by.as_deref().is_none_or(str::is_empty))?;
    let threshold = cx.pack.pack.memory_layer.promotion_thresholds.as_ref().map(|t| t.auto_promote_confidence);
    let reached = threshold.is_some_and(|threshold| stated >= threshold);
    (!reached).then_some(MemoryReason::BelowConfidence)
}

/// Checks that it was promoted, not later than now, and within its tier's lifetime; returns the first violation.
fn lifetime(cx: Cx<'_>, item: &MemoryItem) -> Option<MemoryReason> {
    let tier = item.tier.as_deref().and_then(|tier| cx.pack.ttls.iter().find(|(name, _)| *name == tier));
    let Some(text) = item.promoted_at.as_deref().filter(|text| !text.is_empty()) else {
        return Some(MemoryReason::NotPromoted);
    };
    let Some((_, ttl)) = tier else { return Some(MemoryReason::UnknownTier) };
    let Some(promoted) = timestamp(text) else { return Some(MemoryReason::MalformedTime) };
    let as_of = cx.inputs.run.as_of();
    if promoted > as_of {
        return Some(MemoryReason::PromotedLater);
    }
    let Some(ttl) = ttl else { return Some(MemoryReason::TierWithoutTtl) };
    let age = as_of.as_second().saturating_sub(promoted.as_second());
    // Whole seconds decide, then the fractions.
    let over = age > *ttl || (age == *ttl && as_of.subsec_nanosecond() >= promoted.subsec_nanosecond());
    over.then_some(MemoryReason::Expired)
}
