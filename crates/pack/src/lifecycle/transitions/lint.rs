//! draft → linted.

use super::super::history::{LintRecord, PackHistory};
use super::super::publication::not_revoked;
use super::super::transition::Transition;
use super::publish::other_bytes;
use deed_canon::ContentHash;
use deed_diag::Diagnostic;
use deed_model::{RegistryEvent, SignedOverlay};

/// Records that a document passed lint together with its overlays. Until one is published, another document may still
/// become the candidate.
pub fn may_lint(
    history: &PackHistory,
    content_hash: ContentHash,
    overlays: Vec<SignedOverlay>,
    warnings: u64,
) -> Result<Transition, Vec<Diagnostic>> {
    not_revoked(history)?;
    match &history.publication {
        Some(publication) if publication.content_hash == content_hash => return Ok(Transition::AlreadyDone),
        Some(publication) => return Err(vec![other_bytes(history, publication, &content_hash)]),
        None => {}
    }
    let lint = LintRecord { overlays: overlays.clone(), warnings };
    if history.candidate(&content_hash).is_some_and(|c| c.lint.as_ref() == Some(&lint)) {
        return Ok(Transition::AlreadyDone);
    }
    let pack_ref = history.pack_ref.clone();
    Ok(Transition::append(RegistryEvent::PackLinted { pack_ref, content_hash, overlays, warnings }))
}
