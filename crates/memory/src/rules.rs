//! The rules of a pack that proposals are judged by.

use deed_canon::ContentHash;
use deed_model::{ContextPack, MemoryRules, MemoryScope, PackOrigin, PackRef, TierLifetime};

/// Returns the memory rules of a pack. What the pack leaves open is read as the strictest: no personal data, no promotion
/// without a review. `pack_hash` is the hash of the pack with its overlays.
pub fn rules_of(pack: &ContextPack, pack_ref: PackRef, pack_hash: ContentHash, origin: PackOrigin) -> MemoryRules {
    let layer = &pack.memory_layer;
    let policy = &layer.memory_policy;
    let tiers = policy.tier_ttls.tiers().into_iter().filter_map(|(tier, ttl)| {
        let ttl_seconds = seconds(ttl?)?;
        Some(TierLifetime { tier: tier.to_owned(), ttl_seconds })
    });
    MemoryRules {
        pack_ref,
        pack_hash,
        pack_origin: origin,
        tenant_id: pack.pack_meta.tenant.tenant_id.clone(),
        data_classification: pack.pack_meta.data_classification,
        intents: pack.intents().into_iter().map(str::to_owned).collect(),
        tiers: tiers.collect(),
        write_classes_allowed: policy.write_classes_allowed.clone(),
        pii_write_back_allowed: policy.consent_gating.as_ref().is_some_and(|gating| gating.pii_write_back_allowed),
        auto_promote_confidence: layer.promotion_thresholds.as_ref().map(|t| t.auto_promote_confidence),
        scope: policy.scope.unwrap_or(MemoryScope::Tenant),
    }
}

/// Returns a lifetime in whole seconds; days are 24 hours, months have no fixed length.
fn seconds(text: &str) -> Option<i64> {
    let span: jiff::Span = text.parse().ok()?;
    let total = span.total((jiff::Unit::Second, jiff::SpanRelativeTo::days_are_24_hours())).ok()?;
    #[allow(clippy::cast_possible_truncation, reason = "a lifetime of 2^53 seconds and more is for ever")]
    (total > 0.0).then_some(total.min(9e15) as i64)
}
