//! signed → published.

use super::super::candidate::Candidate;
use super::super::history::{PackHistory, Publication, RecordWithEnvelope, ReviewRecord, SignatureRecord};
use super::super::publication::{held_signature, is_about, not_revoked, refusal, verify_publication};
use super::super::reviews::check_reviews;
use super::super::transition::Transition;
use super::super::trust::{SigningTime, Trust};
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

/// Publishes a signed version. Publishing the same documents again changes nothing; other documents are always refused.
pub fn may_publish(
    history: &PackHistory,
    trust: &Trust,
    candidate: &Candidate,
    signatures: &[RecordWithEnvelope<SignatureRecord>],
    reviews: &[RecordWithEnvelope<ReviewRecord>],
) -> Result<Transition, Vec<Diagnostic>> {
    not_revoked(history)?;
    if let Some(publication) = &history.publication {
        if !is_about(publication, history, candidate) {
            return Err(vec![other_bytes(history, publication, &candidate.content_hash())]);
        }
        // It was published before, and must still be valid: a key may have been revoked since.
        verify_publication(history, trust, candidate, signatures, reviews)?;
        return Ok(Transition::AlreadyDone);
    }
    // A key that was retired since was allowed to sign then; a revoked one never was.
    let (_, signature) = held_signature(candidate, trust, signatures, |record| SigningTime::At(record.seq))?;
    check_reviews(candidate, trust, reviews)?;
    Ok(Transition::append(RegistryEvent::PackPublished {
        pack_ref: history.pack_ref.clone(),
        content_hash: candidate.content_hash(),
        document: candidate.sha256(),
        envelope: signature.envelope,
        overlays: candidate.overlay_records(),
        golden: candidate.golden_records(),
        tenant_id: candidate.tenant_id().to_owned(),
        shared: candidate.shared(),
    }))
}

/// Returns the refusal of other bytes under an existing version.
pub(super) fn other_bytes(history: &PackHistory, publication: &Publication, found: &ContentHash) -> Diagnostic {
    let message = match publication.content_hash == *found {
        true => format!("`{}` is already published, with other overlays or golden cases", history.pack_ref),
        false => format!("`{}` is already published, as `{}`", history.pack_ref, publication.content_hash),
    };
    refusal(history, codes::VERSION_EXISTS, message)
        .help("a published version never changes: raise `pack_meta.pack_version` and publish that")
}
