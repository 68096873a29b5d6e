//! Profiles: published once, bound to scopes.

use super::stored;
use crate::error::RegistryError;
use crate::evidence::{named_keys, profiles, trust_of};
use crate::reads::prove_profile;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::Envelope;
use deed_model::{ProfileRef, ProfileScope};
use deed_pack::{ProfileCandidate, may_bind_profile, may_publish_profile};

impl Registry {
    /// Publishes a profile with its issuer's signed statement. Publishing the same document again records nothing.
    ///
    /// # Errors
    /// The signature is not valid, the version was published with other bytes, or the registry cannot be written.
    pub fn publish_profile(
        &self,
        candidate: &ProfileCandidate,
        envelope: &Envelope,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        let (bytes, blob) = stored(envelope)?;
        self.write(stamp, |log| {
            let trust = trust_of(log, &named_keys(envelope))?;
            let transition = may_publish_profile(&profiles(log)?, &trust, candidate, envelope, blob)?;
            Ok(Plan { transition, bytes: vec![candidate.bytes().to_vec(), bytes] })
        })
    }

    /// Binds a published profile to a scope, after its signature was verified again.
    ///
    /// # Errors
    /// The profile is not published or no longer verifies, or the registry cannot be written.
    pub fn bind_profile(
        &self,
        profile_ref: &ProfileRef,
        scope: &ProfileScope,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let state = profiles(log)?;
            let transition = may_bind_profile(&state, profile_ref, scope)?;
            prove_profile(log, &self.blobs, &state, profile_ref)?;
            Ok(Plan::bare(transition))
        })
    }
}
