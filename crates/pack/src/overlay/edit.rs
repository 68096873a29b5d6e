//! The state of a pack while overlays are applied.

use super::resolved::AppliedChange;
use crate::bundle::Bundle;
use deed_canon::Pointer;
use deed_model::{ContextPack, SignedOverlay};
use serde_json::Value;

/// A change that was proven to tighten, not yet applied.
pub(super) struct Edit {
    /// JSON Pointer into the pack.
    pub(super) pointer: String,
    /// The new value.
    pub(super) after: Value,
    /// The proof that this only tightens.
    pub(super) proof: String,
}

/// The document as far as it is resolved, untyped and typed.
pub(super) struct State {
    /// The document.
    pub(super) value: Value,
    /// The document, typed.
    pub(super) pack: ContextPack,
    /// The changes so far.
    pub(super) changes: Vec<AppliedChange>,
    /// The overlays so far.
    pub(super) overlays: Vec<SignedOverlay>,
}

impl State {
    /// Creates the state of the pack as reviewed.
    pub(super) fn of(bundle: &Bundle, pack: &ContextPack) -> Self {
        let value = bundle.document.value().clone();
        Self { value, pack: pack.clone(), changes: Vec::new(), overlays: Vec::new() }
    }

    /// Applies an edit and returns the previous value; changes nothing if the result is not a pack.
    pub(super) fn apply(&mut self, edit: &Edit) -> Option<Value> {
        let mut value = self.value.clone();
        let before = put(&mut value, &edit.pointer, edit.after.clone())?;
        self.pack = serde_json::from_value(value.clone()).ok()?;
        self.value = value;
        Some(before)
    }
}

/// Sets a member or an element, and returns the previous value.
fn put(document: &mut Value, pointer: &str, after: Value) -> Option<Value> {
    if let Some(slot) = document.pointer_mut(pointer) {
        return Some(std::mem::replace(slot, after));
    }
    let (parent, _) = pointer.rsplit_once('/')?;
    let key = Pointer::tokens(pointer).last()?;
    document.pointer_mut(parent)?.as_object_mut()?.insert(key, after);
    Some(Value::Null)
}
