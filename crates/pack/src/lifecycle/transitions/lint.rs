//! draft → linted.

use super::super::history::PackHistory;
use super::super::publication::not_revoked;
use super::super::transition::Transition;
use super::publish::other_bytes;
use deed_canon::ContentHash;
use deed_diag::Diagnostic;
use deed_model::RegistryEvent;

/// Records that a document passed lint. Another document may still come forward, until one is published.
pub fn may_lint(
    history: &PackHistory,
    content_hash: ContentHash,
    warnings: u64,
) -> Result<Transition, Vec<Diagnostic>> {
    not_revoked(history)?;
    match &history.publication {
        Some(publication) if publication.content_hash == content_hash => return Ok(Transition::AlreadyDone),
        Some(publication) => return Err(vec![other_bytes(history, publication, &content_hash)]),
        None => {}
    }
    if history.candidate(&content_hash).is_some_and(|c| c.warnings == Some(warnings)) {
        return Ok(Transition::AlreadyDone);
    }
    let pack_ref = history.pack_ref.clone();
    Ok(Transition::append(RegistryEvent::PackLinted { pack_ref, content_hash, warnings }))
}
