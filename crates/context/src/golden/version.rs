//! References of a case to the pack that it lies beside.
//!
//! A case proves the behaviour of the pack in its folder, whatever its version is. A reference to this pack or to one of its
//! overlays therefore means the version that is there; a reference to anything else is left as it is, and refused.

use deed_model::{ContextPack, GoldenCase, OverlayRef, PackRef};
use serde_json::Value;

/// Makes references to the pack itself those of its present version. Returns the version that the case names, if it is
/// another one.
pub(crate) fn settle(case: &mut GoldenCase, pack: &ContextPack) -> Option<String> {
    let meta = &pack.pack_meta;
    let mut named = None;
    for document in [&mut case.request, &mut case.run] {
        let refs = document.get_mut("context_pack_refs").and_then(Value::as_array_mut);
        for reference in refs.into_iter().flatten() {
            let Some(text) = reference.as_str() else { continue };
            if let Some(own) = own_pack(text, &meta.pack_id) {
                if own != meta.pack_version {
                    named = named.or(Some(own));
                    *reference = Value::from(format!("{}@{}", meta.pack_id, meta.pack_version));
                }
            } else if let Some(declared) = own_overlay(text, pack) {
                *reference = Value::from(declared);
            }
        }
    }
    named
}

/// Returns the version of a reference to the pack itself.
fn own_pack(text: &str, pack_id: &str) -> Option<String> {
    let reference: PackRef = text.parse().ok()?;
    (reference.pack_id == pack_id).then(|| reference.version.to_string())
}

/// Returns the declared reference of the overlay that a reference names.
fn own_overlay(text: &str, pack: &ContextPack) -> Option<String> {
    let pack_id = &pack.pack_meta.pack_id;
    let reference: OverlayRef = text.parse().ok()?;
    let name = reference.name_in(pack_id)?;
    let declared = pack.pack_meta.overlays.iter();
    let same = |other: &&String| other.parse::<OverlayRef>().is_ok_and(|other| other.name_in(pack_id) == Some(name));
    declared.into_iter().find(same).cloned()
}
