//! reviewed → signed.

use super::super::candidate::Candidate;
use super::super::history::{PackHistory, RecordWithEnvelope, ReviewRecord};
use super::super::policy;
use super::super::reviews::check_reviews;
use super::super::transition::Transition;
use super::super::trust::{SigningTime, Trust};
use super::super::verify::verify_signature;
use super::review::linted;
use deed_canon::{ContentHash, Envelope};
use deed_diag::Diagnostic;
use deed_model::{RegistryEvent, RegistryPolicy};

/// Records the issuer's signature, once every required role has signed off on exactly these documents. `blob` is the
/// envelope's name. `policy` is the registry's; none only for logs from before there was one.
pub fn may_sign(
    history: &PackHistory,
    trust: &Trust,
    candidate: &Candidate,
    envelope: &Envelope,
    blob: ContentHash,
    reviews: &[RecordWithEnvelope<ReviewRecord>],
    policy: Option<&RegistryPolicy>,
) -> Result<Transition, Vec<Diagnostic>> {
    linted(history, candidate)?;
    let recorded = history.candidate(&candidate.content_hash());
    if let Some(before) = recorded.and_then(|c| c.signatures.iter().find(|s| s.envelope == blob)) {
        verify_signature(envelope, trust, SigningTime::At(before.seq), candidate)?;
        return Ok(Transition::AlreadyDone);
    }
    check_reviews(candidate, trust, reviews)?;
    let verified = verify_signature(envelope, trust, SigningTime::Now, candidate)?;
    if let Some(policy) = policy {
        policy::check(policy, candidate, trust, reviews, &verified.key_id)?;
    }
    Ok(Transition::append(RegistryEvent::PackSigned {
        pack_ref: history.pack_ref.clone(),
        content_hash: candidate.content_hash(),
        key_id: verified.key_id,
        envelope: blob,
        policy: policy.cloned(),
    }))
}
