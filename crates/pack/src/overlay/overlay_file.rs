//! One overlay from document to applied changes, every finding reported.

use super::declared::OverlayFile;
use super::edit::State;
use super::kinds::{self, Subject};
use super::resolved::AppliedChange;
use super::{secrets, shape};
use crate::bundle::Bundle;
use deed_diag::{Diagnostic, Severity, codes};
use deed_model::SignedOverlay;

/// Checks an overlay and applies the proven changes. Later changes are judged against the result of earlier ones.
pub(super) fn apply(overlay: &OverlayFile<'_>, state: &mut State, found: &mut Vec<Diagnostic>) {
    let known = found.len();
    secrets::check(overlay.document, found);
    for entry in shape::changes(overlay.document, found) {
        let subject = Subject { document: overlay.document, at: &entry.at, state };
        match kinds::prove(&subject, &entry.change) {
            Ok(edit) => match (state.apply(&edit), &overlay.overlay_ref) {
                (Some(before), Some(overlay_ref)) => state.changes.push(AppliedChange {
                    overlay_ref: overlay_ref.clone(),
                    kind: kinds::name(&entry.change),
                    pointer: edit.pointer,
                    before,
                    after: edit.after,
                    proof: edit.proof,
                    rationale: kinds::rationale(&entry.change),
                }),
                // An overlay without a valid reference was already refused.
                (Some(_), None) => {}
                (None, _) => found.push(not_a_pack(&subject_place(overlay, &entry.at))),
            },
            Err(diagnostic) => found.push(*diagnostic),
        }
    }
    let clean = !found.iter().skip(known).any(|d| d.severity == Severity::Error);
    if let (true, Some(overlay_ref)) = (clean, &overlay.overlay_ref) {
        match Bundle::overlay_hash(overlay.document) {
            Ok(content_hash) => {
                state.overlays.push(SignedOverlay { overlay_ref: overlay_ref.clone(), content_hash });
            }
            Err(error) => found.push(not_a_pack(&overlay.document.place("")).help(error.to_string())),
        }
    }
}

fn subject_place(overlay: &OverlayFile<'_>, at: &str) -> deed_diag::Place {
    overlay.document.place(&deed_canon::Pointer::push(at, "value"))
}

fn not_a_pack(place: &deed_diag::Place) -> Diagnostic {
    Diagnostic::error(codes::VALUE_OUT_OF_RANGE, "with this value the document would no longer be a pack")
        .stage("overlay")
        .at(place.clone())
        .help("give a value of the same kind as in the pack")
}
