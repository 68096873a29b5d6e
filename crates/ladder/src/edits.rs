//! Changes of a payload, made and written down in one act, so that no change goes unrecorded.

use crate::place::parent;
use deed_canon::{ContentHash, Pointer, hash};
use deed_diag::Invariant as _;
use deed_model::{LadderChange, PAYLOAD_TAG, PatchOp, Rung};
use serde_json::Value;

/// What a change is put down to.
#[derive(Clone, Copy)]
pub(crate) struct Cause<'c> {
    pub(crate) rung: Rung,
    pub(crate) rule: &'c str,
    pub(crate) confidence: u16,
    pub(crate) why: &'c str,
}

/// The hash of a value on the ladder; of null where it has no canonical form, which refuses the payload.
pub(crate) fn hash_of(value: &Value) -> ContentHash {
    let null = |_| hash(&PAYLOAD_TAG, &Value::Null).invariant("null has a canonical form");
    hash(&PAYLOAD_TAG, value).unwrap_or_else(null)
}

fn change(cause: Cause<'_>, patch: PatchOp, inverse: PatchOp, before: &Value, after: &Value) -> LadderChange {
    LadderChange {
        rung: cause.rung,
        rule: cause.rule.to_owned(),
        confidence: cause.confidence,
        patch: vec![patch],
        inverse: vec![inverse],
        before: hash_of(before),
        after: hash_of(after),
        why: cause.why.to_owned(),
    }
}

/// Puts a value in the place of another; `None` if there is no such place.
pub(crate) fn replace(payload: &mut Value, at: &str, value: Value, cause: Cause<'_>) -> Option<LadderChange> {
    let place = payload.pointer_mut(at)?;
    let before = std::mem::replace(place, value.clone());
    let patch = PatchOp::Replace { path: at.to_owned(), value: value.clone().into() };
    let inverse = PatchOp::Replace { path: at.to_owned(), value: before.clone().into() };
    Some(change(cause, patch, inverse, &before, &value))
}

/// Gives a key of an object another name; `None` if there is no such key, or the other is taken.
pub(crate) fn rename(
    payload: &mut Value,
    object: &str,
    from: &str,
    to: &str,
    cause: Cause<'_>,
) -> Option<LadderChange> {
    let map = payload.pointer_mut(object)?.as_object_mut()?;
    if map.contains_key(to) {
        return None;
    }
    let value = map.remove(from)?;
    let (old, new) = (Pointer::push(object, from), Pointer::push(object, to));
    let patch = PatchOp::Move { from: old.clone(), path: new.clone() };
    let inverse = PatchOp::Move { from: new, path: old };
    let recorded = change(cause, patch, inverse, &value, &value);
    map.insert(to.to_owned(), value);
    Some(recorded)
}

/// Adds a key to an object; `None` if there is no such object, or the key is there.
pub(crate) fn add(payload: &mut Value, at: &str, value: Value, cause: Cause<'_>) -> Option<LadderChange> {
    let (object, key) = parent(at)?;
    let map = payload.pointer_mut(object)?.as_object_mut()?;
    if map.contains_key(&key) {
        return None;
    }
    map.insert(key, value.clone());
    let patch = PatchOp::Add { path: at.to_owned(), value: value.clone() };
    let inverse = PatchOp::Remove { path: at.to_owned() };
    Some(change(cause, patch, inverse, &Value::Null, &value))
}

/// Takes a key from an object; `None` if there is no such key.
pub(crate) fn remove(payload: &mut Value, at: &str, cause: Cause<'_>) -> Option<LadderChange> {
    let (object, key) = parent(at)?;
    let before = payload.pointer_mut(object)?.as_object_mut()?.remove(&key)?;
    let patch = PatchOp::Remove { path: at.to_owned() };
    let inverse = PatchOp::Add { path: at.to_owned(), value: before.clone() };
    Some(change(cause, patch, inverse, &before, &Value::Null))
}
