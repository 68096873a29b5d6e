//! reviewed → signed.

use super::{documents, stored};
use crate::error::RegistryError;
use crate::evidence::{Evidence, history, named_keys, policy, trust_of};
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::Envelope;
use deed_pack::{Candidate, may_sign};

impl Registry {
    /// Records the issuer's signed statement, and stores the documents that it is about.
    ///
    /// # Errors
    /// Reviews are missing, the key is not trusted to sign, the statement does not match the documents, or the registry
    /// cannot be written.
    pub fn record_signature(
        &self,
        candidate: &Candidate,
        envelope: &Envelope,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        let (bytes, blob) = stored(envelope)?;
        self.write(stamp, |log| {
            let history = history(log, candidate.pack_ref())?;
            let evidence = Evidence::read(&self.blobs, &history, &candidate.content_hash())?;
            let mut keys = evidence.keys();
            keys.extend(named_keys(envelope));
            let trust = trust_of(log, &keys)?;
            let policy = policy(log)?.policy;
            let transition = may_sign(&history, &trust, candidate, envelope, blob, &evidence.reviews, Some(&policy))?;
            let mut all = documents(candidate);
            all.push(bytes);
            Ok(Plan { transition, bytes: all })
        })
    }
}
