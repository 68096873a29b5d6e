//! Profiles: published once, bound to scopes, ended.

use super::stored;
use crate::error::RegistryError;
use crate::evidence::{named_keys, profiles, trust_of};
use crate::reads::prove_profile;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::Envelope;
use deed_model::{ProfileRef, ProfileScope};
use deed_pack::{
    EndOfUse, PinnedUse, ProfileCandidate, may_bind_profile, may_end_profile, may_publish_profile, may_unbind_profile,
};

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

    /// Ends the binding of a scope.
    ///
    /// # Errors
    /// The reason is empty, nothing was bound there, or the registry cannot be written.
    pub fn unbind_profile(&self, scope: &ProfileScope, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_unbind_profile(&profiles(log)?, scope, reason)?)))
    }

    /// Deprecates or revokes a published profile. `elsewhere` names what uses it besides the scopes that it is bound to.
    ///
    /// # Errors
    /// The reason is empty, the profile is in use, is not published, or ended for another reason; or the registry cannot be
    /// written.
    pub fn end_profile(
        &self,
        profile_ref: &ProfileRef,
        end: (EndOfUse, &str),
        elsewhere: &[String],
        in_use: PinnedUse,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_end_profile(&profiles(log)?, profile_ref, end, elsewhere, in_use)?)))
    }
}
