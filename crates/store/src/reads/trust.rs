//! The trusted keys.

use crate::error::RegistryError;
use crate::evidence::events;
use crate::registry::Registry;
use crate::subjects::Subject;
use deed_model::TrustStore;
use deed_pack::Trust;

impl Registry {
    /// Every key, with the places in the log where its trust changed.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn trust(&self) -> Result<Trust, RegistryError> {
        self.read_log(|log| Ok(Trust::fold(events(&log.of_subject(&Subject::Keys)?))))
    }

    /// The trust store to export, for verification without this registry.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn trust_store(&self) -> Result<TrustStore, RegistryError> {
        Ok(self.trust()?.store())
    }
}
