//! The first use of a version.

use crate::error::RegistryError;
use crate::evidence::history;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::{PackRef, PackUse};
use deed_pack::may_observe;

impl Registry {
    /// Records that a run or a recording used a version, unless an earlier use in the same environment is recorded.
    ///
    /// # Errors
    /// The version may not be used, or the registry cannot be written.
    pub fn observe(
        &self,
        pack_ref: &PackRef,
        environment: Option<&str>,
        tenant_id: &str,
        by: &PackUse,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        // Most uses are not the first one, and do not have to wait for other writers.
        let seen = self.read_log(|log| Ok(history(log, pack_ref)?.observed(tenant_id, environment).is_some()))?;
        if seen {
            return Ok(Outcome::AlreadyDone);
        }
        self.write(stamp, |log| Ok(Plan::bare(may_observe(&history(log, pack_ref)?, environment, tenant_id, by)?)))
    }
}
