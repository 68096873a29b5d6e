//! draft → linted.

use super::super::history::{LintRecord, PackHistory, Publication};
use super::super::publication::not_revoked;
use super::super::transition::Transition;
use super::publish::other_bytes;
use deed_canon::ContentHash;
use deed_diag::Diagnostic;
use deed_model::{RegistryEvent, SignedGolden, SignedOverlay};

/// Records that a document passed lint together with its overlays and golden cases. Until one is published, another document may still
/// become the candidate.
pub fn may_lint(
    history: &PackHistory,
    content_hash: ContentHash,
    overlays: Vec<SignedOverlay>,
    golden: Vec<SignedGolden>,
    warnings: u64,
) -> Result<Transition, Vec<Diagnostic>> {
    not_revoked(history)?;
    match &history.publication {
        Some(publication) if publication.content_hash == content_hash && same_cases(publication, &golden) => {
            return Ok(Transition::AlreadyDone);
        }
        Some(publication) => return Err(vec![other_bytes(history, publication, &content_hash)]),
        None => {}
    }
    let lint = LintRecord { overlays: overlays.clone(), golden: golden.clone(), warnings };
    if history.candidate(&content_hash).is_some_and(|c| c.lint.as_ref() == Some(&lint)) {
        return Ok(Transition::AlreadyDone);
    }
    let pack_ref = history.pack_ref.clone();
    Ok(Transition::append(RegistryEvent::PackLinted { pack_ref, content_hash, overlays, golden, warnings }))
}

/// Returns true if the golden cases are the published ones. A version that was published without any can be linted with
/// some: they are not part of it, and take nothing away.
fn same_cases(publication: &Publication, golden: &[SignedGolden]) -> bool {
    let published = publication.golden.iter().map(|g| (&g.name, g.content_hash));
    publication.golden.is_empty() || published.eq(golden.iter().map(|g| (&g.name, g.content_hash)))
}
