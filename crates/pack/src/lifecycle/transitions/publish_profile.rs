//! A signed profile is published: from now on this version exists and never changes.

use super::super::objects;
use super::super::profiles::{ProfileCandidate, ProfileRegistry};
use super::super::publication::Purpose;
use super::super::transition::Transition;
use super::super::trust::{SigningTime, Trust};
use super::super::verify::Signable as _;
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, codes};
use deed_model::{NamedObject, ObjectRef, RegistryEvent};

/// Publishes a profile that its issuer signed. `blob` is where the signed statement is stored. Publishing the same document
/// again changes nothing, whoever signed it.
///
/// # Errors
/// The signature is not valid, the version was published with other bytes or is revoked, one of its prompts or
/// validation packs was published with other bytes, or an object that it names may not be used.
pub fn may_publish_profile(
    state: &ProfileRegistry,
    trust: &Trust,
    candidate: &ProfileCandidate,
    envelope: &Envelope,
    blob: ContentHash,
) -> Result<Transition, Vec<Diagnostic>> {
    let key_id = candidate.verify(envelope, trust, SigningTime::Now)?;
    let reference = candidate.profile_ref();
    if let Some(published) = state.publication(reference) {
        let name = reference.to_string();
        if let Some(refusal) = published.endings.refusal(&name, Purpose::Replay, candidate.place()) {
            return Err(vec![refusal]);
        }
        if published.content_hash == candidate.content_hash() {
            return Ok(Transition::AlreadyDone);
        }
        let message = format!("`{reference}` was published with other bytes: `{}`", published.content_hash);
        let found = Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message).stage("lifecycle");
        let help = "a published version never changes: raise `version` and publish that";
        return Err(vec![found.at(candidate.place()).help(help)]);
    }
    let held = candidate.held();
    let taken = held.iter().filter(|own| state.text(&own.object).is_some_and(|text| *text != own.content_hash));
    let mut faults: Vec<Diagnostic> = taken.map(|own| other_text(candidate, &own.object)).collect();
    let used = candidate.named().iter().chain(held.iter().map(|own| &own.object));
    faults.extend(used.filter_map(|object| {
        let refusal =
            state.object(object)?.endings.refusal(&object.name, Purpose::NewWork, objects::place_of(object))?;
        Some(refusal.related(candidate.place(), "named by this profile"))
    }));
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Transition::append(RegistryEvent::ProfilePublished {
        profile_ref: reference.clone(),
        content_hash: candidate.content_hash(),
        document: candidate.sha256(),
        envelope: blob,
        key_id,
        prompts: candidate.prompts().to_vec(),
        validation_packs: candidate.validation_packs().to_vec(),
        names: published(state, candidate),
    }))
}

/// Returns the objects that a profile names and that are published by themselves.
fn published(state: &ProfileRegistry, candidate: &ProfileCandidate) -> Vec<NamedObject> {
    let named = candidate.named().iter().filter_map(|object| {
        let content_hash = state.object(object)?.content_hash;
        Some(NamedObject { object: object.clone(), content_hash })
    });
    named.collect()
}

fn other_text(candidate: &ProfileCandidate, object: &ObjectRef) -> Diagnostic {
    let kind = object.kind.as_words();
    Diagnostic::error(codes::PROFILE_VERSION_EXISTS, format!("the {kind} `{object}` was published with other bytes"))
        .stage("lifecycle")
        .at(candidate.place())
        .help(format!("a version of a {kind} never changes: give this one the next version"))
}
