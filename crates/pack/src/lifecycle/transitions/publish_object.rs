//! A signed prompt or validation pack is published: from now on this version exists and never changes.

use super::super::objects::ObjectCandidate;
use super::super::profiles::ProfileRegistry;
use super::super::publication::Purpose;
use super::super::transition::Transition;
use super::super::trust::{SigningTime, Trust};
use super::super::verify::Signable as _;
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

/// Publishes an object that its issuer signed. `blob` is where the signed statement is stored. Publishing the same document
/// again changes nothing, whoever signed it.
///
/// # Errors
/// The signature is not valid, the version was published with other bytes, by itself or in a profile, or it was revoked.
pub fn may_publish_object(
    state: &ProfileRegistry,
    trust: &Trust,
    candidate: &ObjectCandidate,
    envelope: &Envelope,
    blob: ContentHash,
) -> Result<Transition, Vec<Diagnostic>> {
    let key_id = candidate.verify(envelope, trust, SigningTime::Now)?;
    let object = candidate.object();
    let published = state.object(object);
    let ended = published.and_then(|found| found.endings.refusal(&object.name, Purpose::Replay, candidate.place()));
    if let Some(refusal) = ended {
        return Err(vec![refusal]);
    }
    if let Some(text) = state.text(object).filter(|text| **text != candidate.content_hash()) {
        let message = format!("the {} `{object}` was published with other bytes: `{text}`", object.kind.as_words());
        let found = Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message).stage("lifecycle");
        let help = "a published version never changes: give this document the next version";
        return Err(vec![found.at(candidate.place()).help(help)]);
    }
    if published.is_some() {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::ObjectPublished {
        object: object.clone(),
        content_hash: candidate.content_hash(),
        document: candidate.sha256(),
        envelope: blob,
        issuer: candidate.issuer().to_owned(),
        key_id,
    }))
}
