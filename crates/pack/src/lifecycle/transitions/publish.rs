//! signed → published.

use super::super::candidate::Candidate;
use super::super::history::{PackHistory, Publication, Recorded, ReviewRecord, SignatureRecord};
use super::super::publication::{held_signature, is_about, not_revoked, refusal, verify_publication};
use super::super::reviews::check_reviews;
use super::super::transition::Transition;
use super::super::trust::{Trust, When};
use deed_canon::ContentHash;
use deed_diag::{Code, Diagnostic};
use deed_model::RegistryEvent;

const OTHER_BYTES: Code = Code::new("D1204");

/// Publishes a signed version. The same documents again are nothing new; other ones are refused for ever.
pub fn may_publish(
    history: &PackHistory,
    trust: &Trust,
    candidate: &Candidate,
    signatures: &[Recorded<SignatureRecord>],
    reviews: &[Recorded<ReviewRecord>],
) -> Result<Transition, Vec<Diagnostic>> {
    not_revoked(history)?;
    if let Some(publication) = &history.publication {
        if !is_about(publication, history, candidate) {
            return Err(vec![other_bytes(history, publication, &candidate.content_hash())]);
        }
        // Done before, and it must still hold: a key may have been revoked since.
        verify_publication(history, trust, candidate, signatures, reviews)?;
        return Ok(Transition::AlreadyDone);
    }
    // A key that was retired since signed while it could; a revoked one never did.
    let (_, signature) = held_signature(candidate, trust, signatures, |record| When::At(record.seq))?;
    check_reviews(candidate, trust, reviews)?;
    Ok(Transition::append(RegistryEvent::PackPublished {
        pack_ref: history.pack_ref.clone(),
        content_hash: candidate.content_hash(),
        document: candidate.sha256(),
        envelope: signature.envelope,
        overlays: candidate.overlay_records(),
        tenant_id: candidate.tenant_id().to_owned(),
        shared: candidate.shared(),
    }))
}

/// The refusal of other bytes under a version that exists.
pub(super) fn other_bytes(history: &PackHistory, publication: &Publication, found: &ContentHash) -> Diagnostic {
    let message = match publication.content_hash == *found {
        true => format!("`{}` is published already, with other overlays", history.pack_ref),
        false => format!("`{}` is published already, as `{}`", history.pack_ref, publication.content_hash),
    };
    refusal(history, OTHER_BYTES, message)
        .help("a published version never changes: raise `pack_meta.pack_version` and publish that")
}
