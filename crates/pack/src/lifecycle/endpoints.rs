//! The endpoint registry as a fold over events: where the adapters of packs are reached in each environment.

use deed_model::{Endpoint, RegistryEvent};
use std::collections::BTreeMap;

/// The entries in force, by environment and reference.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointRegistry {
    entries: BTreeMap<(String, String), Endpoint>,
}

impl EndpointRegistry {
    /// Applies one more event; events about other things are ignored.
    pub fn apply(&mut self, event: &RegistryEvent) {
        match event {
            RegistryEvent::EndpointSet { endpoint } => {
                let key = (endpoint.environment.clone(), endpoint.endpoint_ref.clone());
                self.entries.insert(key, endpoint.clone());
            }
            RegistryEvent::EndpointRemoved { endpoint_ref, environment, reason: _ } => {
                self.entries.remove(&(environment.clone(), endpoint_ref.clone()));
            }
            _ => {}
        }
    }

    /// Returns the entry of a reference in an environment.
    pub fn get(&self, environment: &str, endpoint_ref: &str) -> Option<&Endpoint> {
        self.entries.get(&(environment.to_owned(), endpoint_ref.to_owned()))
    }

    /// Iterates over all entries, by environment and reference.
    pub fn iter(&self) -> impl Iterator<Item = &Endpoint> {
        self.entries.values()
    }
}
