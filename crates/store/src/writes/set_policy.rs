//! The policy of the registry.

use crate::error::RegistryError;
use crate::evidence::policy;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::RegistryPolicy;
use deed_pack::may_set_policy;

impl Registry {
    /// Sets the reviews that the registry demands of every pack from now on.
    ///
    /// # Errors
    /// The reason is empty, or the registry cannot be written.
    pub fn set_policy(&self, set: &RegistryPolicy, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_set_policy(&policy(log)?, set.clone(), reason)?)))
    }
}
