//! published or pinned → deprecated.

use crate::error::RegistryError;
use crate::evidence::history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::PackRef;
use deed_pack::may_deprecate;

impl Registry {
    /// Keeps a version for replay only from now on.
    pub fn deprecate(&self, pack_ref: &PackRef, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_deprecate(&history(log, pack_ref)?, reason)?)))
    }
}
