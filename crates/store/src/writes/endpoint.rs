//! Entries of the endpoint registry.

use crate::error::RegistryError;
use crate::evidence::endpoints;
use crate::registry::{Outcome, Plan, Registry, Stamp};
use deed_model::Endpoint;
use deed_pack::{may_remove_endpoint, may_set_endpoint};

impl Registry {
    /// Sets where a reference leads in an environment.
    ///
    /// # Errors
    /// The entry is malformed, or the registry cannot be written.
    pub fn set_endpoint(&self, endpoint: &Endpoint, stamp: &Stamp) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| Ok(Plan::bare(may_set_endpoint(&endpoints(log)?, endpoint.clone())?)))
    }

    /// Removes an entry.
    ///
    /// # Errors
    /// There is no such entry, the reason is empty, or the registry cannot be written.
    pub fn remove_endpoint(
        &self,
        environment: &str,
        endpoint_ref: &str,
        reason: &str,
        stamp: &Stamp,
    ) -> Result<Outcome, RegistryError> {
        self.write(stamp, |log| {
            Ok(Plan::bare(may_remove_endpoint(&endpoints(log)?, environment, endpoint_ref, reason)?))
        })
    }
}
