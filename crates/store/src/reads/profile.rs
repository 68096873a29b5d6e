//! Published profiles, prompts and validation packs, proven whenever they are read.

use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::evidence::{envelope, profiles, trust_of};
use crate::log::Log;
use crate::registry::Registry;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{ObjectRef, ProfileRef};
use deed_pack::{ObjectCandidate, ProfileCandidate, ProfileRegistry, Purpose, SigningTime};

impl Registry {
    /// The published profiles, prompts and validation packs, and the bindings of profiles.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn profiles(&self) -> Result<ProfileRegistry, RegistryError> {
        self.read_log(profiles)
    }

    /// Loads a published profile, after its signature was verified.
    ///
    /// # Errors
    /// It is not published, its signature is no longer valid, or its file is missing or altered.
    pub fn load_profile(&self, profile_ref: &ProfileRef) -> Result<ProfileCandidate, RegistryError> {
        self.read_log(|log| prove_profile(log, &self.blobs, &profiles(log)?, profile_ref))
    }

    /// Loads a published prompt or validation pack for a purpose, after its signature was verified.
    ///
    /// # Errors
    /// It is not published, ended for that purpose, its signature is no longer valid, or its file is missing or altered.
    pub fn load_object(&self, object: &ObjectRef, purpose: Purpose) -> Result<ObjectCandidate, RegistryError> {
        self.read_log(|log| prove_object(log, &self.blobs, &profiles(log)?, object, purpose))
    }
}

/// Reads a published object and verifies that it is what its issuer signed.
fn prove_object(
    log: &Log<'_>,
    blobs: &Blobs,
    state: &ProfileRegistry,
    object: &ObjectRef,
    purpose: Purpose,
) -> Result<ObjectCandidate, RegistryError> {
    let place = || Place::file(object.subject());
    let published = state.object(object).ok_or_else(|| {
        let message = format!("the registry has no `{object}`");
        let help = format!("`deed {} list` lists what is published", object.kind.subject());
        vec![Diagnostic::error(codes::NOT_PUBLISHED, message).stage("registry").at(place()).help(help)]
    })?;
    if let Some(refusal) = published.endings.refusal(&object.name, purpose, place()) {
        return Err(vec![refusal].into());
    }
    let candidate = ObjectCandidate::from_canonical(object, &published.issuer, blobs.get(&published.document)?)?;
    if candidate.content_hash() != published.content_hash {
        let message = format!("the stored document is not the one that was published as `{object}`");
        let found = Diagnostic::error(codes::STORED_DOCUMENTS_DISAGREE, message).stage("registry").at(place());
        return Err(vec![found.help("restore the registry from a backup, and find out who changed it")].into());
    }
    let signed = envelope(blobs, &published.envelope)?;
    candidate.verify(&signed, &trust_of(log, [&published.key_id])?, SigningTime::At(published.seq))?;
    Ok(candidate)
}

/// Reads a published profile and verifies that it is what its issuer signed.
pub(crate) fn prove_profile(
    log: &Log<'_>,
    blobs: &Blobs,
    state: &ProfileRegistry,
    profile_ref: &ProfileRef,
) -> Result<ProfileCandidate, RegistryError> {
    let place = || Place::file(format!("profile:{profile_ref}"));
    let published = state.publication(profile_ref).ok_or_else(|| {
        let message = format!("`{profile_ref}` is not published here");
        vec![
            Diagnostic::error(codes::PROFILE_NOT_FOUND, message)
                .stage("registry")
                .at(place())
                .help("`deed profile list` lists the profiles"),
        ]
    })?;
    let candidate = ProfileCandidate::from_canonical(blobs.get(&published.document)?)?;
    if candidate.profile_ref() != profile_ref || candidate.content_hash() != published.content_hash {
        let message = format!("the stored document is not the one that was published as `{profile_ref}`");
        return Err(RegistryError::Refused(vec![
            Diagnostic::error(codes::STORED_DOCUMENTS_DISAGREE, message)
                .stage("registry")
                .at(place())
                .help("restore the registry from a backup, and find out who changed it"),
        ]));
    }
    let signed = envelope(blobs, &published.envelope)?;
    let trust = trust_of(log, [&published.key_id])?;
    candidate.verify(&signed, &trust, SigningTime::At(published.seq))?;
    Ok(candidate)
}
