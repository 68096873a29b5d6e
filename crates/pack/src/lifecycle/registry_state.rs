//! The whole registry as one fold, for lists and for verifying a log from its start.

use super::archives::ArchiveState;
use super::endpoints::EndpointRegistry;
use super::environment::{EnvironmentKey, EnvironmentState};
use super::history::PackHistory;
use super::policy::PolicyState;
use super::profiles::ProfileRegistry;
use super::trust::Trust;
use deed_diag::Invariant as _;
use deed_model::{AuditEvent, PackRef, RegistryEvent, Version};
use std::collections::BTreeMap;

/// The state of a registry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegistryState {
    /// The keys.
    pub trust: Trust,
    /// The policy.
    pub policy: PolicyState,
    /// The endpoints.
    pub endpoints: EndpointRegistry,
    /// The named archives.
    pub archives: ArchiveState,
    /// The published profiles and their bindings.
    pub profiles: ProfileRegistry,
    packs: BTreeMap<String, BTreeMap<Version, PackHistory>>,
    environments: BTreeMap<EnvironmentKey, EnvironmentState>,
}

impl RegistryState {
    /// Folds a sequence of events.
    pub fn fold<'a>(events: impl IntoIterator<Item = (u64, &'a AuditEvent)>) -> Self {
        let mut state = Self::default();
        events.into_iter().for_each(|(seq, event)| state.apply(seq, &event.event));
        state
    }

    /// Applies one more event.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        self.trust.apply(seq, event);
        self.policy.apply(event);
        self.endpoints.apply(event);
        self.archives.apply(seq, event);
        self.profiles.apply(seq, event);
        let Some(pack_ref) = pack_ref(event) else { return };
        let versions = self.packs.entry(pack_ref.pack_id.clone()).or_default();
        versions.entry(pack_ref.version).or_insert_with(|| PackHistory::new(pack_ref.clone()));
        if let RegistryEvent::PackPinned { environment, tenant_id, .. }
        | RegistryEvent::PackUnpinned { environment, tenant_id, .. } = event
        {
            // A pin also ends the pin of another version.
            versions.values_mut().for_each(|history| history.apply(seq, event));
            let key = EnvironmentKey {
                tenant_id: tenant_id.clone(),
                environment: environment.clone(),
                pack_id: pack_ref.pack_id.clone(),
            };
            let state = self.environments.entry(key.clone()).or_insert_with(|| EnvironmentState::new(key));
            state.apply(seq, event);
        } else {
            versions.get_mut(&pack_ref.version).invariant("the version was just entered").apply(seq, event);
        }
    }

    /// Returns the history of a version; an empty one if it is unknown.
    pub fn pack(&self, pack_ref: &PackRef) -> PackHistory {
        let known = self.packs.get(&pack_ref.pack_id).and_then(|versions| versions.get(&pack_ref.version));
        known.cloned().unwrap_or_else(|| PackHistory::new(pack_ref.clone()))
    }

    /// Iterates over all versions, by id and version.
    pub fn packs(&self) -> impl Iterator<Item = &PackHistory> {
        self.packs.values().flat_map(BTreeMap::values)
    }

    /// Returns the pins of an environment; none if it is unknown.
    pub fn environment(&self, key: &EnvironmentKey) -> EnvironmentState {
        self.environments.get(key).cloned().unwrap_or_else(|| EnvironmentState::new(key.clone()))
    }

    /// Iterates over all environments.
    pub fn environments(&self) -> impl Iterator<Item = &EnvironmentState> {
        self.environments.values()
    }
}

fn pack_ref(event: &RegistryEvent) -> Option<&PackRef> {
    match event {
        RegistryEvent::KeyTrusted { .. }
        | RegistryEvent::KeyRevoked { .. }
        | RegistryEvent::RegistryPolicySet { .. }
        | RegistryEvent::EndpointSet { .. }
        | RegistryEvent::EndpointRemoved { .. }
        | RegistryEvent::ArchiveNamed { .. }
        | RegistryEvent::ArchiveForgotten { .. }
        | RegistryEvent::ProfilePublished { .. }
        | RegistryEvent::ProfileUnbound { .. }
        | RegistryEvent::ProfileDeprecated { .. }
        | RegistryEvent::ProfileRevoked { .. }
        | RegistryEvent::ObjectPublished { .. }
        | RegistryEvent::ObjectDeprecated { .. }
        | RegistryEvent::ObjectRevoked { .. }
        | RegistryEvent::ProfileBound { .. } => None,
        RegistryEvent::PackLinted { pack_ref, .. }
        | RegistryEvent::PackReviewed { pack_ref, .. }
        | RegistryEvent::PackSigned { pack_ref, .. }
        | RegistryEvent::PackPublished { pack_ref, .. }
        | RegistryEvent::PackPinned { pack_ref, .. }
        | RegistryEvent::PackUnpinned { pack_ref, .. }
        | RegistryEvent::PackObserved { pack_ref, .. }
        | RegistryEvent::PackPromoted { pack_ref, .. }
        | RegistryEvent::PackRegressionAccepted { pack_ref, .. }
        | RegistryEvent::PackRechecked { pack_ref, .. }
        | RegistryEvent::PackDeprecated { pack_ref, .. }
        | RegistryEvent::PackRevoked { pack_ref, .. } => Some(pack_ref),
    }
}
