//! signed → published.

use super::documents;
use crate::error::RegistryError;
use crate::evidence::{Evidence, history, trust_of};
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_pack::{Candidate, may_publish};

impl Registry {
    /// Publishes a signed version. Publishing the same documents again records nothing, and restores lost files.
    ///
    /// # Errors
    /// Reviews or signatures are missing, the version was published with other documents, or the registry cannot be
    /// written.
    pub fn publish(&self, candidate: &Candidate, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let history = history(log, candidate.pack_ref())?;
            let evidence = Evidence::read(&self.blobs, &history, &candidate.content_hash())?;
            let trust = trust_of(log, &evidence.keys())?;
            let transition = may_publish(&history, &trust, candidate, &evidence.signatures, &evidence.reviews)?;
            Ok(Plan { transition, bytes: documents(candidate) })
        })
    }
}
