//! Who is believed.

use crate::error::RegistryError;
use crate::evidence::events;
use crate::log::Log;
use crate::registry::Registry;
use deed_model::TrustStore;
use deed_pack::Trust;

impl Registry {
    /// Every key with the places in the log where its standing changed.
    pub fn trust(&self) -> Result<Trust, RegistryError> {
        self.read(|conn| Ok(Trust::fold(events(&Log::open(conn)?.of_kind("key:")?))))
    }

    /// The trust store to export, for verification without this registry.
    pub fn trust_store(&self) -> Result<TrustStore, RegistryError> {
        Ok(self.trust()?.store())
    }
}
