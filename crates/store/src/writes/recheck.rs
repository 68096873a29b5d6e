//! The outcome of a recheck.

use crate::error::RegistryError;
use crate::evidence::history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::{PackRef, RecheckTrigger};
use deed_pack::{RecheckRecord, may_recheck};

impl Registry {
    /// Records the outcome of a recheck of a published version.
    ///
    /// # Errors
    /// The version is not published, or the registry cannot be written.
    pub fn record_recheck(
        &self,
        pack_ref: &PackRef,
        trigger: RecheckTrigger,
        dependency: &str,
        found: &RecheckRecord,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_recheck(&history(log, pack_ref)?, trigger, dependency, found)?)))
    }
}
