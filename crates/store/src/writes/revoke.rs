//! published, pinned or deprecated → revoked.

use crate::error::RegistryError;
use crate::evidence::full_history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::{PinnedUse, may_revoke};

impl Registry {
    /// Revokes a version: it is blocked from now on, and its bytes stay for audit.
    ///
    /// # Errors
    /// The reason is empty, environments would go down, the version is not published or is revoked for another reason; or the registry cannot be written.
    pub fn revoke(
        &self,
        pack_ref: &PackRef,
        reason: &str,
        pinned: PinnedUse,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_revoke(&full_history(log, pack_ref)?, reason, pinned)?)))
    }
}
