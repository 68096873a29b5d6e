//! Contradictions among the memories that nothing else speaks against: no two that state different values of one fact are
//! both admitted.
//!
//! A memory that a correction names is corrected. Of one fact, what the store promoted comes before what a list claims; then
//! the newest correction outranks the rest; where neither decides, all of them are rejected, as an evidence conflict without
//! a resolution is.

use super::JudgedMemory;
use deed_canon::canonical_string;
use deed_diag::Invariant as _;
use deed_memory::{CORRECTION, compared_name, compared_value};
use deed_model::{MemoryFact, MemoryReason};
use serde_json::Value;
use std::collections::BTreeMap;

/// Rejects what is corrected or contradicted. The order of the items does not matter.
pub(super) fn settle(items: &mut [JudgedMemory<'_>]) {
    if items.iter().filter(|judged| judged.reasons.is_empty()).count() < 2 {
        return;
    }
    let named = corrected(items);
    reject(items, named, MemoryReason::Corrected);
    for claims in facts(items) {
        match winner(&claims) {
            Verdict::Agreed => {}
            Verdict::Open => reject(items, claims.iter().map(|claim| claim.at), MemoryReason::Contradicted),
            Verdict::Stands { value, reason } => {
                let others = claims.iter().filter(|claim| claim.value != value);
                reject(items, others.map(|claim| claim.at), reason);
            }
        }
    }
}

/// A memory that claims a value of a fact.
struct Claim {
    /// Its place among the items.
    at: usize,
    value: String,
    is_stored: bool,
    is_correction: bool,
    promoted: Option<jiff::Timestamp>,
}

/// The claims about one fact, decided.
enum Verdict {
    /// All claim the same.
    Agreed,
    /// Nothing decides between them.
    Open,
    /// This value stands, and the others are rejected.
    Stands { value: String, reason: MemoryReason },
}

fn reject(items: &mut [JudgedMemory<'_>], places: impl IntoIterator<Item = usize>, reason: MemoryReason) {
    for at in places {
        items.get_mut(at).invariant("a claim is one of the items").reasons.push(reason);
    }
}

/// Returns the admissible memories that an admissible correction names. A list corrects nothing of the store.
fn corrected(items: &[JudgedMemory<'_>]) -> Vec<usize> {
    let admissible = || items.iter().enumerate().filter(|(_, judged)| judged.reasons.is_empty());
    let corrects = |by: &JudgedMemory<'_>, its: &JudgedMemory<'_>| {
        by.item.class.as_deref() == Some(CORRECTION)
            && by.item.corrects.as_deref() == Some(its.item.id.as_str())
            && by.item.id != its.item.id
            && (by.is_stored() || !its.is_stored())
    };
    admissible().filter(|(_, its)| admissible().any(|(_, by)| corrects(by, its))).map(|(at, _)| at).collect()
}

/// Returns the claims about each fact, of the admissible memories.
fn facts(items: &[JudgedMemory<'_>]) -> Vec<Vec<Claim>> {
    let mut facts: BTreeMap<(String, String), Vec<Claim>> = BTreeMap::new();
    for (at, judged) in items.iter().enumerate().filter(|(_, judged)| judged.reasons.is_empty()) {
        let Some(MemoryFact { entity, predicate, value }) = &judged.item.fact else { continue };
        facts.entry((compared_name(entity), compared_name(predicate))).or_default().push(Claim {
            at,
            value: canonical(value),
            is_stored: judged.is_stored(),
            is_correction: judged.item.class.as_deref() == Some(CORRECTION),
            promoted: judged.promoted,
        });
    }
    facts.into_values().filter(|claims| claims.len() > 1).collect()
}

fn canonical(value: &Value) -> String {
    canonical_string(&compared_value(value)).invariant("a hashed memory has a canonical form")
}

fn winner(claims: &[Claim]) -> Verdict {
    if one_value(claims.iter()).is_some() {
        return Verdict::Agreed;
    }
    let is_stored = claims.iter().any(|claim| claim.is_stored);
    let strong: Vec<&Claim> = claims.iter().filter(|claim| claim.is_stored == is_stored).collect();
    if let Some(value) = one_value(strong.iter().copied()) {
        return Verdict::Stands { value, reason: MemoryReason::Contradicted };
    }
    let newest = strong.iter().filter(|claim| claim.is_correction).map(|claim| claim.promoted).max();
    let newest = newest
        .and_then(|at| one_value(strong.iter().copied().filter(|claim| claim.is_correction && claim.promoted == at)));
    newest.map_or(Verdict::Open, |value| Verdict::Stands { value, reason: MemoryReason::Corrected })
}

/// Returns the value that all claims have; none if there are several, or no claims.
fn one_value<'c>(mut claims: impl Iterator<Item = &'c Claim>) -> Option<String> {
    let first = claims.next()?;
    claims.all(|claim| claim.value == first.value).then(|| first.value.clone())
}
