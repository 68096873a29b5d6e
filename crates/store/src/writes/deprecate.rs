//! published or pinned → deprecated.

use crate::error::RegistryError;
use crate::evidence::full_history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::{PinnedUse, may_deprecate};

impl Registry {
    /// Deprecates a version: it can be used for replay and audit only from now on.
    ///
    /// # Errors
    /// The reason is empty, environments would go down, the version is not published, is revoked, or is deprecated for another reason; or the registry
    /// cannot be written.
    pub fn deprecate(
        &self,
        pack_ref: &PackRef,
        reason: &str,
        pinned: PinnedUse,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_deprecate(&full_history(log, pack_ref)?, reason, pinned)?)))
    }
}
