//! The history of one version, and the pins of one environment.

use crate::error::RegistryError;
use crate::evidence::{archives, endpoints, environment, full_history, policy};
use crate::registry::Registry;
use deed_model::{PackRef, RegistryPolicy};
use deed_pack::{ArchiveState, EndpointRegistry, EnvironmentKey, EnvironmentState, PackHistory};

impl Registry {
    /// The history of a version; an empty one if the version is unknown.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn history(&self, pack_ref: &PackRef) -> Result<PackHistory, RegistryError> {
        self.read_log(|log| full_history(log, pack_ref))
    }

    /// The policy in force.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn policy(&self) -> Result<RegistryPolicy, RegistryError> {
        self.read_log(|log| Ok(policy(log)?.policy))
    }

    /// The endpoints of all environments.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn endpoints(&self) -> Result<EndpointRegistry, RegistryError> {
        self.read_log(endpoints)
    }

    /// The named archives.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn archives(&self) -> Result<ArchiveState, RegistryError> {
        self.read_log(archives)
    }

    /// Every pin of an environment; none if the environment is unknown.
    ///
    /// # Errors
    /// The log is damaged or cannot be read.
    pub fn environment(&self, key: EnvironmentKey) -> Result<EnvironmentState, RegistryError> {
        self.read_log(|log| environment(log, key))
    }
}
