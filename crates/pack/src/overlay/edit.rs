//! The pack while overlays are being applied.

use super::resolved::AppliedChange;
use crate::bundle::Bundle;
use deed_canon::Pointer;
use deed_model::{ContextPack, SignedOverlay};
use serde_json::Value;

/// A change that was proven to tighten, not yet made.
pub(super) struct Edit {
    /// JSON Pointer into the pack.
    pub(super) pointer: String,
    /// What will stand there.
    pub(super) after: Value,
    /// Why this only tightens.
    pub(super) proof: String,
}

/// The document as far as it is resolved, untyped and typed.
pub(super) struct State {
    /// The document.
    pub(super) value: Value,
    /// The same, typed.
    pub(super) pack: ContextPack,
    /// What was changed so far.
    pub(super) changes: Vec<AppliedChange>,
    /// Which overlays were applied so far.
    pub(super) overlays: Vec<SignedOverlay>,
}

impl State {
    /// The pack as it was reviewed.
    pub(super) fn of(bundle: &Bundle, pack: &ContextPack) -> Self {
        let value = bundle.document.value().clone();
        Self { value, pack: pack.clone(), changes: Vec::new(), overlays: Vec::new() }
    }

    /// Makes an edit and gives back what stood there; nothing is changed where the result is not a pack.
    pub(super) fn apply(&mut self, edit: &Edit) -> Option<Value> {
        let mut value = self.value.clone();
        let before = put(&mut value, &edit.pointer, edit.after.clone())?;
        self.pack = serde_json::from_value(value.clone()).ok()?;
        self.value = value;
        Some(before)
    }
}

/// Sets a member or an element, and gives back what stood there.
fn put(document: &mut Value, pointer: &str, after: Value) -> Option<Value> {
    if let Some(slot) = document.pointer_mut(pointer) {
        return Some(std::mem::replace(slot, after));
    }
    let (parent, _) = pointer.rsplit_once('/')?;
    let key = Pointer::tokens(pointer).last()?;
    document.pointer_mut(parent)?.as_object_mut()?.insert(key, after);
    Some(Value::Null)
}
