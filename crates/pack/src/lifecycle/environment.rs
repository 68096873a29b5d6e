//! The version of a pack that an environment uses, folded from pins.

use deed_canon::ContentHash;
use deed_diag::Place;
use deed_model::{AuditEvent, PackRef, RegistryEvent};
use std::collections::BTreeSet;

const LONGEST_NAME: usize = 100;

/// One environment of one tenant, for one pack. Two tenants may each have a `prod`; the two are independent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnvironmentKey {
    /// The tenant.
    pub tenant_id: String,
    /// Its name.
    pub environment: String,
    /// The pack.
    pub pack_id: String,
}

/// The pins of an environment, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentState {
    /// The environment and pack.
    pub key: EnvironmentKey,
    /// Every pin, the current one last.
    pub pins: Vec<PinRecord>,
    /// The event that unpinned the pack, if no pin came after it.
    pub unpinned: Option<u64>,
}

/// A pin, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinRecord {
    /// The event.
    pub seq: u64,
    /// The version.
    pub pack_ref: PackRef,
    /// Typed hash of its document.
    pub content_hash: ContentHash,
    /// True if it led back to an earlier pin, or was made as a rollback.
    pub rollback: bool,
    /// The overlays that it binds, by name, in the declared order.
    pub overlays: Vec<String>,
}

impl EnvironmentState {
    /// Creates an environment without pins.
    pub fn new(key: EnvironmentKey) -> Self {
        Self { key, pins: Vec::new(), unpinned: None }
    }

    /// Folds a sequence of events; events about other things are ignored.
    pub fn fold<'a>(key: EnvironmentKey, events: impl IntoIterator<Item = (u64, &'a AuditEvent)>) -> Self {
        let mut state = Self::new(key);
        events.into_iter().for_each(|(seq, event)| state.apply(seq, &event.event));
        state
    }

    /// Applies one more event.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        let own = |pack_ref: &PackRef, environment: &str, tenant_id: &str| {
            environment == self.key.environment
                && tenant_id == self.key.tenant_id
                && pack_ref.pack_id == self.key.pack_id
        };
        match event {
            RegistryEvent::PackPinned {
                pack_ref,
                content_hash,
                environment,
                tenant_id,
                rollback,
                overlays,
                replaces: _,
                took_ms: _,
            } if own(pack_ref, environment, tenant_id) => {
                let (pack_ref, content_hash, rollback) = (pack_ref.clone(), *content_hash, *rollback);
                self.pins.push(PinRecord { seq, pack_ref, content_hash, rollback, overlays: overlays.clone() });
                self.unpinned = None;
            }
            RegistryEvent::PackUnpinned { pack_ref, environment, tenant_id, reason: _ }
                if own(pack_ref, environment, tenant_id) =>
            {
                self.unpinned = Some(seq);
            }
            _ => {}
        }
    }

    /// Returns the current pin.
    pub fn current(&self) -> Option<&PinRecord> {
        self.pins.last().filter(|_| self.unpinned.is_none())
    }

    /// Returns the pin to roll back to: the one that was in force before the current version, and that no rollback has
    /// left. After a rollback from C to B the next one leads to A, and not back to C.
    pub fn previous(&self) -> Option<&PinRecord> {
        let mut line: Vec<&PinRecord> = Vec::new();
        for pin in &self.pins {
            match line.iter().position(|earlier| earlier.pack_ref == pin.pack_ref) {
                Some(at) if pin.rollback => line.truncate(at),
                Some(_) | None => {}
            }
            line.push(pin);
        }
        let current = self.current()?;
        line.into_iter().rev().find(|pin| pin.pack_ref != current.pack_ref)
    }

    /// Returns true if pinning a version with these overlays leads back to a pin of the environment: a lower version than the
    /// current one, which was pinned here before with the same overlays, through the release gates.
    pub fn leads_back_to(&self, pack_ref: &PackRef, overlays: &[String]) -> bool {
        let lower = self.current().is_some_and(|current| pack_ref.version < current.pack_ref.version);
        // The version declares the order of its overlays.
        let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
        let passed =
            |pin: &PinRecord| !pin.rollback && pin.pack_ref == *pack_ref && set(&pin.overlays) == set(overlays);
        lower && self.pins.iter().any(passed)
    }

    /// Returns the pin that a new one is compared with: the current one, or the last before the pack was unpinned.
    pub fn base(&self) -> Option<&PinRecord> {
        self.pins.last()
    }

    pub(super) fn place(&self) -> Place {
        Place::file(format!("environment:{}:{}", self.key.environment, self.key.pack_id))
    }
}

/// Returns true if a text can be the name of an environment.
pub(super) fn is_environment_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.len() <= LONGEST_NAME
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-'))
}
