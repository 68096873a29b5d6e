//! linted → reviewed, one role at a time.

use super::super::candidate::Candidate;
use super::super::history::PackHistory;
use super::super::publication::{not_revoked, refusal};
use super::super::transition::Transition;
use super::super::trust::{SigningTime, Trust};
use super::super::verify::verify_review;
use super::publish::other_bytes;
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

/// Records a sign-off by an active key that is trusted for its role. `blob` is the envelope's name.
///
/// A published version can be reviewed again: that is how it survives the revocation of a reviewer's key.
pub fn may_review(
    history: &PackHistory,
    trust: &Trust,
    candidate: &Candidate,
    envelope: &Envelope,
    blob: ContentHash,
) -> Result<Transition, Vec<Diagnostic>> {
    linted(history, candidate)?;
    let recorded = history.candidate(&candidate.content_hash());
    if let Some(before) = recorded.and_then(|c| c.reviews.iter().find(|r| r.envelope == blob)) {
        verify_review(envelope, trust, SigningTime::At(before.seq), candidate)?;
        return Ok(Transition::AlreadyDone);
    }
    let verified = verify_review(envelope, trust, SigningTime::Now, candidate)?;
    Ok(Transition::append(RegistryEvent::PackReviewed {
        pack_ref: history.pack_ref.clone(),
        content_hash: candidate.content_hash(),
        role: verified.review.role,
        key_id: verified.key_id,
        envelope: blob,
    }))
}

/// Checks that exactly this document passed lint with exactly these overlays, and that no other was published.
pub(super) fn linted(history: &PackHistory, candidate: &Candidate) -> Result<(), Vec<Diagnostic>> {
    not_revoked(history)?;
    let hash = candidate.content_hash();
    match &history.publication {
        Some(publication) if publication.content_hash != hash => {
            return Err(vec![other_bytes(history, publication, &hash)]);
        }
        Some(_) | None => {}
    }
    let (overlays, golden) = (candidate.signed_overlays(), candidate.signed_golden());
    let lint = history.candidate(&hash).and_then(|c| c.lint.as_ref());
    if lint.is_some_and(|lint| lint.overlays == overlays && lint.golden == golden) {
        return Ok(());
    }
    let message = format!(
        "no lint of `{}` with the document `{hash}`, these overlays and these golden cases is recorded",
        history.pack_ref
    );
    Err(vec![
        refusal(history, codes::NOT_LINTED, message)
            .help("run `deed pack lint DIR` on exactly these documents first: a changed byte makes another document"),
    ])
}
