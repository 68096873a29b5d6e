//! pinned → published.

use crate::error::RegistryError;
use crate::evidence::current_pin;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_pack::{EnvironmentKey, may_unpin};

impl Registry {
    /// Ends the use of a pack in an environment.
    ///
    /// # Errors
    /// The reason is empty, nothing is pinned there, or the registry cannot be written.
    pub fn unpin(&self, key: &EnvironmentKey, reason: &str, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_unpin(&current_pin(log, key.clone())?, reason)?)))
    }
}
