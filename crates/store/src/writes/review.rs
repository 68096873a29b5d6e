//! linted → reviewed.

use super::{documents, stored};
use crate::error::RegistryError;
use crate::evidence::{history, named_keys, trust_of};
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_canon::Envelope;
use deed_pack::{Candidate, may_review};

impl Registry {
    /// Records a reviewer's signed statement, and stores the documents that it is about.
    ///
    /// # Errors
    /// The key is not trusted to review, the statement does not match the documents, or the registry cannot be written.
    pub fn record_review(
        &self,
        candidate: &Candidate,
        envelope: &Envelope,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        let (bytes, blob) = stored(envelope)?;
        self.write(stamp, |log| {
            let history = history(log, candidate.pack_ref())?;
            let trust = trust_of(log, &named_keys(envelope))?;
            let transition = may_review(&history, &trust, candidate, envelope, blob)?;
            let mut all = documents(candidate);
            all.push(bytes);
            Ok(Plan { transition, bytes: all })
        })
    }
}
