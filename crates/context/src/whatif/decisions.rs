//! The decisions of two compiles, compared: what they may end in, and what that demands.

use super::seen::Decision;
use deed_model::OutcomeEffect;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The rights of a decision, the weakest first.
const RIGHTS: [&str; 7] = ["observe", "advise", "draft", "recommend", "escalate", "approve", "execute"];

/// Decisions by key.
type Decisions = BTreeMap<String, Decision>;

/// Describes every change, in the order of the keys.
pub(super) fn changes(old: &Decisions, new: &Decisions) -> Vec<String> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut changes = Vec::new();
    for key in keys {
        match (old.get(key), new.get(key)) {
            (Some(before), Some(after)) => {
                changes.extend(parts(before, after).into_iter().map(|change| format!("{key}: {change}")));
            }
            (Some(_), None) => changes.push(format!("{key}: gone")),
            (None, Some(_)) => changes.push(format!("{key}: new")),
            (None, None) => {}
        }
    }
    changes
}

fn parts(old: &Decision, new: &Decision) -> Vec<String> {
    let mut changes = Vec::new();
    let mut shift = |name: &str, before: &str, after: &str| {
        if before != after {
            changes.push(format!("{name} {before} -> {after}"));
        }
    };
    shift("decision_right", &old.right, &new.right);
    shift("approval_mode", old.mode.as_str(), new.mode.as_str());
    shift("on_insufficient_evidence", old.on_insufficient.as_str(), new.on_insufficient.as_str());
    let outcomes: BTreeSet<&String> = old.outcomes.keys().chain(new.outcomes.keys()).collect();
    for outcome in outcomes {
        let effect = |of: &Decision| of.outcomes.get(outcome).map_or("-", |effect| effect.as_str());
        shift(&format!("outcome {outcome}"), effect(old), effect(new));
    }
    for (name, (before, after)) in ["inputs", "outputs"].into_iter().zip(old.schemas.iter().zip(&new.schemas)) {
        if before != after {
            let named = |schema: &Option<(String, Option<Value>)>| {
                schema.as_ref().map_or_else(|| "-".to_owned(), |(reference, _)| reference.clone())
            };
            changes.push(format!("schema of {name} {} -> {}", named(before), named(after)));
        }
    }
    changes
}

/// Returns true if a decision may end in more, or demands less for it, than before. A schema that changes is not proven
/// to admit no more, so it counts too, unless it is new.
pub(super) fn is_looser(old: &Decisions, new: &Decisions) -> bool {
    pairs(old, new).any(|(before, after)| {
        let mut schemas = before.schemas.iter().zip(&after.schemas);
        demands_less(before, after) || schemas.any(|(before, after)| before.is_some() && before != after)
    })
}

/// Returns true if a decision may end in less, or demands more for it, than before.
pub(super) fn is_stricter(old: &Decisions, new: &Decisions) -> bool {
    pairs(old, new).any(|(before, after)| {
        let mut schemas = before.schemas.iter().zip(&after.schemas);
        demands_less(after, before) || schemas.any(|(before, after)| before.is_none() && after.is_some())
    })
}

/// Returns the decisions that both have.
fn pairs<'d>(old: &'d Decisions, new: &'d Decisions) -> impl Iterator<Item = (&'d Decision, &'d Decision)> {
    old.iter().filter_map(|(key, before)| Some((before, new.get(key)?)))
}

fn demands_less(before: &Decision, after: &Decision) -> bool {
    let rank = |right: &str| RIGHTS.iter().position(|own| *own == right);
    let by_right = before.right != after.right
        && rank(&before.right).zip(rank(&after.right)).is_none_or(|(before, after)| after > before);
    // What acts is judged by policy, gates and evidence; what refuses by nothing.
    let by_outcome = after.outcomes.iter().any(|(outcome, effect)| match before.outcomes.get(outcome) {
        Some(before) => effect < before,
        None => *effect == OutcomeEffect::Act,
    });
    by_right || by_outcome || after.mode < before.mode || after.on_insufficient < before.on_insufficient
}
