//! A signed profile is published: from now on this version exists and never changes.

use super::super::profiles::{ProfileCandidate, ProfileRegistry};
use super::super::transition::Transition;
use super::super::trust::{SigningTime, Trust};
use super::super::verify::Signable as _;
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

/// Publishes a profile that its issuer signed. `blob` is where the signed statement is stored. Publishing the same document
/// again changes nothing, whoever signed it.
///
/// # Errors
/// The signature is not valid, the version was published with other bytes, or one of its prompts was.
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
        if published.content_hash == candidate.content_hash() {
            return Ok(Transition::AlreadyDone);
        }
        let message = format!("`{reference}` was published with other bytes: `{}`", published.content_hash);
        let found = Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message).stage("lifecycle");
        let help = "a published version never changes: raise `version` and publish that";
        return Err(vec![found.at(candidate.place()).help(help)]);
    }
    let differs = |prompt: &&deed_model::PublishedPrompt| {
        state.prompt(&prompt.prompt_ref).is_some_and(|published| *published != prompt.hash)
    };
    let taken = candidate.prompts().iter().filter(differs).map(|prompt| {
        let message = format!("the prompt `{}` was published with another text", prompt.prompt_ref);
        Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message)
            .stage("lifecycle")
            .at(candidate.place())
            .help("a version of a prompt never changes: give this text the next version")
    });
    let taken: Vec<Diagnostic> = taken.collect();
    if !taken.is_empty() {
        return Err(taken);
    }
    Ok(Transition::append(RegistryEvent::ProfilePublished {
        profile_ref: reference.clone(),
        content_hash: candidate.content_hash(),
        document: candidate.sha256(),
        envelope: blob,
        key_id,
        prompts: candidate.prompts().to_vec(),
    }))
}
