//! Prompts and validation packs: published once, ended.

use super::stored;
use crate::error::RegistryError;
use crate::evidence::{named_keys, profiles, trust_of};
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::Envelope;
use deed_model::ObjectRef;
use deed_pack::{EndOfUse, ObjectCandidate, PinnedUse, may_end_object, may_publish_object};

impl Registry {
    /// Publishes a prompt or a validation pack with its issuer's signed statement. Publishing the same document again records
    /// nothing.
    ///
    /// # Errors
    /// The signature is not valid, the version was published with other bytes, or the registry cannot be written.
    pub fn publish_object(
        &self,
        candidate: &ObjectCandidate,
        envelope: &Envelope,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        let (bytes, blob) = stored(envelope)?;
        self.write(stamp, |log| {
            let trust = trust_of(log, &named_keys(envelope))?;
            let transition = may_publish_object(&profiles(log)?, &trust, candidate, envelope, blob)?;
            Ok(Plan { transition, bytes: vec![candidate.bytes().to_vec(), bytes] })
        })
    }

    /// Deprecates or revokes a published prompt or validation pack.
    ///
    /// # Errors
    /// The reason is empty, profiles name the object, it is not published, or ended for another reason; or the registry
    /// cannot be written.
    pub fn end_object(
        &self,
        object: &ObjectRef,
        end: (EndOfUse, &str),
        in_use: PinnedUse,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_end_object(&profiles(log)?, object, end, in_use)?)))
    }
}
