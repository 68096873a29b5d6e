//! The fields in which two profiles differ. Lists are compared as a whole.

use super::ProfileChange;
use super::class::class_of;
use deed_canon::Pointer;
use deed_diag::Invariant as _;
use deed_model::ExecutionProfile;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Returns every difference, by field. The version itself is not one.
pub(super) fn changes(old: &ExecutionProfile, new: &ExecutionProfile) -> Vec<ProfileChange> {
    let (before, after) = (leaves(old), leaves(new));
    let pointers: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing = pointers.into_iter().filter(|pointer| before.get(*pointer) != after.get(*pointer));
    differing
        .filter(|pointer| pointer.as_str() != "/version")
        .map(|pointer| {
            let (old_value, new_value) = (before.get(pointer), after.get(pointer));
            let (class, why) = class_of(pointer, old_value, new_value, old, new);
            ProfileChange {
                pointer: pointer.clone(),
                class,
                why: why.to_owned(),
                before: old_value.cloned(),
                after: new_value.cloned(),
            }
        })
        .collect()
}

fn leaves(profile: &ExecutionProfile) -> BTreeMap<String, Value> {
    let value = serde_json::to_value(profile).invariant("a profile has a form in JSON");
    let mut found = BTreeMap::new();
    gather(&value, "", &mut found);
    found
}

fn gather(value: &Value, pointer: &str, found: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| gather(value, &Pointer::push(pointer, key), found));
        }
        // A field that is not set is not a field with the value null.
        Value::Null => {}
        Value::Array(items) if items.is_empty() => {}
        Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.insert(pointer.to_owned(), value.clone());
        }
    }
}
