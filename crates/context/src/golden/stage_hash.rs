//! A hash of what each stage decided, for golden cases.
//!
//! The stage hashes of a compile cover the version of the pack, the hash of its document and everything that was read, so
//! each of them moves with every edit. A golden case pins behaviour: what identifies the pack, and nothing else, is left
//! out.

use crate::hydrate::Hydrated;
use deed_canon::{ContentHash, hash_of};
use deed_diag::Invariant as _;
use deed_model::{GOLDEN_STAGE_TAG, RecordedStage, Stage};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the hash of each stage that ran.
pub(crate) fn stage_hashes(pack: &Hydrated, records: &[RecordedStage]) -> BTreeMap<Stage, String> {
    let hash = |record: &RecordedStage| {
        let decided = settled(pack, record);
        let hash = hash_of(&GOLDEN_STAGE_TAG, &(record.stage, &decided));
        (record.stage, hash.invariant("what a stage decided had a canonical form when it was sealed").to_string())
    };
    records.iter().map(hash).collect()
}

/// Returns the decisions of a stage without the identity of the pack.
pub(super) fn settled(pack: &Hydrated, record: &RecordedStage) -> Value {
    let mut decided = record.decided.clone();
    match record.stage {
        Stage::Policy => {
            // Derived from what was read, which has the version.
            let decisions = decided.get_mut("decisions").and_then(Value::as_array_mut).into_iter().flatten();
            decisions.for_each(|decision| take(decision, &["policy_decision_id"]));
        }
        Stage::Budget => {
            // The system text begins with the reference of the pack.
            let text = pack.head.system.text.replace(&pack.reference, &pack.pack.pack_meta.pack_id);
            put(&mut decided, "system", json!(ContentHash::of_bytes(text.as_bytes())));
        }
        Stage::Manifests => {
            take(&mut decided, &["overlays", "pack", "pack_source", "resolved_pack_hash"]);
            for (part, key) in [("request", "hash"), ("run", "hash"), ("stable_prefix", "hash")] {
                if let Some(part) = decided.get_mut(part) {
                    take(part, &[key]);
                }
            }
        }
        Stage::Intent | Stage::Tools | Stage::Evidence | Stage::Memory | Stage::Buckets => {}
    }
    unversioned(&mut decided, &references(pack));
    decided
}

/// Returns the references of the pack and its overlays, each with its id.
fn references(pack: &Hydrated) -> Vec<(&str, &str)> {
    let overlays = pack.overlays.iter().map(|(reference, _)| reference.as_str());
    let all = std::iter::once(pack.reference.as_str()).chain(overlays);
    all.filter_map(|reference| Some((reference, reference.split_once('@')?.0))).collect()
}

/// Names the pack by its id wherever a decision names it, such as in the provenance of a block.
fn unversioned(value: &mut Value, references: &[(&str, &str)]) {
    match value {
        Value::String(text) => {
            if let Some((_, id)) = references.iter().find(|(reference, _)| text == reference) {
                *text = (*id).to_owned();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| unversioned(item, references)),
        Value::Object(fields) => fields.values_mut().for_each(|field| unversioned(field, references)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn take(value: &mut Value, keys: &[&str]) {
    if let Some(fields) = value.as_object_mut() {
        keys.iter().for_each(|key| drop(fields.remove(*key)));
    }
}

fn put(value: &mut Value, key: &str, part: Value) {
    if let Some(place) = value.get_mut(key) {
        *place = part;
    }
}
