//! published or pinned → deprecated.

use crate::error::RegistryError;
use crate::evidence::history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::may_deprecate;

impl Registry {
    /// Deprecates a version: it can be used for replay and audit only from now on.
    ///
    /// # Errors
    /// The reason is empty, the version is not published, is revoked, or is deprecated for another reason; or the registry
    /// cannot be written.
    pub fn deprecate(&self, pack_ref: &PackRef, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_deprecate(&history(log, pack_ref)?, reason)?)))
    }
}
