//! published, pinned or deprecated → revoked.

use crate::error::RegistryError;
use crate::evidence::history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::may_revoke;

impl Registry {
    /// Revokes a version: it is blocked from now on, and its bytes stay for audit.
    ///
    /// # Errors
    /// The reason is empty, the version is not published or is revoked for another reason; or the registry cannot be written.
    pub fn revoke(&self, pack_ref: &PackRef, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_revoke(&history(log, pack_ref)?, reason)?)))
    }
}
