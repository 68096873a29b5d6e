//! Which version of a pack an environment uses, folded from pins.

use deed_canon::ContentHash;
use deed_diag::Place;
use deed_model::{AuditEvent, PackRef, RegistryEvent};

/// One environment of one tenant, for one pack. Two tenants may each have a `prod`; neither sees the other's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnvironmentKey {
    /// Whose environment.
    pub tenant_id: String,
    /// Its name.
    pub environment: String,
    /// Which pack.
    pub pack_id: String,
}

/// The pins of an environment, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentState {
    /// Which environment and pack.
    pub key: EnvironmentKey,
    /// Every pin, the current one last.
    pub pins: Vec<PinRecord>,
}

/// A pin, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinRecord {
    /// The event.
    pub seq: u64,
    /// Which version.
    pub pack_ref: PackRef,
    /// Typed hash of its document.
    pub content_hash: ContentHash,
    /// True where it took over from a higher version.
    pub rollback: bool,
}

impl EnvironmentState {
    /// An environment that uses nothing yet.
    pub fn new(key: EnvironmentKey) -> Self {
        Self { key, pins: Vec::new() }
    }

    /// The pins that a sequence of events amounts to; events about other things change nothing.
    pub fn fold<'a>(key: EnvironmentKey, events: impl IntoIterator<Item = (u64, &'a AuditEvent)>) -> Self {
        let mut state = Self::new(key);
        events.into_iter().for_each(|(seq, event)| state.apply(seq, &event.event));
        state
    }

    /// Takes one more event into account.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        if let RegistryEvent::PackPinned { pack_ref, content_hash, environment, tenant_id, rollback, replaces: _ } =
            event
            && *environment == self.key.environment
            && *tenant_id == self.key.tenant_id
            && pack_ref.pack_id == self.key.pack_id
        {
            let (pack_ref, content_hash, rollback) = (pack_ref.clone(), *content_hash, *rollback);
            self.pins.push(PinRecord { seq, pack_ref, content_hash, rollback });
        }
    }

    /// The pin in force.
    pub fn current(&self) -> Option<&PinRecord> {
        self.pins.last()
    }

    /// The version to go back to: the last pin of another version than the current one.
    pub fn previous(&self) -> Option<&PinRecord> {
        let current = self.current()?;
        self.pins.iter().rev().find(|pin| pin.pack_ref != current.pack_ref)
    }

    pub(super) fn place(&self) -> Place {
        Place::file(format!("environment:{}:{}", self.key.environment, self.key.pack_id))
    }
}
