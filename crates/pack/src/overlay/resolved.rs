//! The resolved pack and its hash.

use super::edit::State;
use crate::bundle::Bundle;
use deed_canon::{CanonError, ContentHash, hash};
use deed_model::{OverlayRef, RESOLVED_PACK_TAG, SignedOverlay};
use serde::Serialize;
use serde_json::{Value, json};

/// One applied change of an overlay.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AppliedChange {
    /// The overlay.
    pub overlay_ref: OverlayRef,
    /// The kind of change.
    pub kind: &'static str,
    /// JSON Pointer into the pack.
    pub pointer: String,
    /// The previous value; `null` if there was none.
    pub before: Value,
    /// The new value.
    pub after: Value,
    /// The proof that this only tightens, as a sentence.
    pub proof: String,
    /// The author's reason.
    pub rationale: Option<String>,
}

/// A pack after its overlays were applied.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Resolved {
    /// The document.
    pub pack: Value,
    /// Typed hash of the pack as authored.
    pub base_hash: ContentHash,
    /// The overlays that were applied, in order.
    pub overlays: Vec<SignedOverlay>,
    /// Typed hash over the base's hash, the overlays and the document.
    pub hash: ContentHash,
    /// The changes, in order.
    pub changes: Vec<AppliedChange>,
}

/// Computes the hashes.
pub(super) fn seal(bundle: &Bundle, state: State) -> Result<Resolved, CanonError> {
    let State { value: pack, changes, overlays, .. } = state;
    let base_hash = bundle.content_hash()?;
    let hash = hash(&RESOLVED_PACK_TAG, &json!({ "base": base_hash, "overlays": overlays, "pack": pack }))?;
    Ok(Resolved { pack, base_hash, overlays, hash, changes })
}
