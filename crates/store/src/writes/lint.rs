//! draft → linted.

use crate::error::RegistryError;
use crate::evidence::history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_pack::{Candidate, may_lint};

impl Registry {
    /// Records that a document passed lint. The caller states it; it is not checked here.
    ///
    /// # Errors
    /// The version is revoked or published with another document, or the registry cannot be written.
    pub fn record_lint(&self, candidate: &Candidate, warnings: u64, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            let history = history(log, candidate.pack_ref())?;
            let (overlays, golden) = (candidate.signed_overlays(), candidate.signed_golden());
            Ok(Plan::bare(may_lint(&history, candidate.content_hash(), overlays, golden, warnings)?))
        })
    }
}
