//! The trust store as a fold over key events.
//!
//! A key has one grant. It is trusted once, may be replaced by another key of the same issuer (retired: earlier
//! signatures remain valid), and may be revoked (none of its signatures is valid).

use deed_canon::{KeyId, PublicKey};
use deed_model::{AuditEvent, KeyStatus, RegistryEvent, TrustStore, TrustedKey};
use std::collections::BTreeMap;

/// The trust-store format that this version reads and writes.
pub(super) const TRUST_FORMAT: u32 = 1;

/// Keys with their grants, and the events that ended them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    keys: BTreeMap<KeyId, KeyRecord>,
}

/// A key with the events at which its standing changed. Without a log, the events are unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// The key, its grant and its present status.
    pub key: TrustedKey,
    /// The event that trusted it.
    pub trusted_at: Option<u64>,
    /// The event that retired it.
    pub retired_at: Option<u64>,
    /// The event that revoked it.
    pub revoked_at: Option<u64>,
}

/// The time of a signature, as far as the caller knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningTime {
    /// Now: it is about to be accepted.
    Now,
    /// It was recorded as this event.
    At(u64),
    /// Unknown: there is no log.
    Unknown,
}

/// The standing of a key for a signature made at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing<'a> {
    /// It was never trusted, or only later.
    Unknown,
    /// It is trusted.
    Good(&'a TrustedKey),
    /// It is trusted if it signed before it was retired, which the caller cannot know.
    GoodIfBefore(&'a TrustedKey),
    /// It had been replaced by then.
    Retired(&'a TrustedKey, &'a KeyId),
    /// None of its signatures is valid, for this reason.
    Revoked(&'a TrustedKey, &'a str),
}

impl Trust {
    /// Folds a sequence of events.
    pub fn fold<'a>(events: impl IntoIterator<Item = (u64, &'a AuditEvent)>) -> Self {
        let mut trust = Self::default();
        events.into_iter().for_each(|(seq, event)| trust.apply(seq, &event.event));
        trust
    }

    /// Creates the trust of an exported store.
    ///
    /// # Errors
    /// The key at fault, if the store contradicts itself.
    pub fn of_store(store: &TrustStore) -> Result<Self, KeyId> {
        let mut trust = Self::default();
        for key in &store.keys {
            let record = KeyRecord { key: key.clone(), trusted_at: None, retired_at: None, revoked_at: None };
            let foreign = key.public_key.id() != key.key_id;
            if foreign || trust.keys.insert(key.key_id.clone(), record).is_some() {
                return Err(key.key_id.clone());
            }
        }
        Ok(trust)
    }

    /// Applies one more event; events about packs are ignored.
    pub fn apply(&mut self, seq: u64, event: &RegistryEvent) {
        match event {
            RegistryEvent::KeyTrusted { key, replaces } => self.trust(seq, key, replaces.as_ref()),
            RegistryEvent::KeyRevoked { key_id, reason } => self.revoke(seq, key_id, reason),
            RegistryEvent::PackLinted { .. }
            | RegistryEvent::PackReviewed { .. }
            | RegistryEvent::PackSigned { .. }
            | RegistryEvent::PackPublished { .. }
            | RegistryEvent::RegistryPolicySet { .. }
            | RegistryEvent::EndpointSet { .. }
            | RegistryEvent::EndpointRemoved { .. }
            | RegistryEvent::PackPinned { .. }
            | RegistryEvent::PackUnpinned { .. }
            | RegistryEvent::PackObserved { .. }
            | RegistryEvent::PackPromoted { .. }
            | RegistryEvent::PackRegressionAccepted { .. }
            | RegistryEvent::PackRechecked { .. }
            | RegistryEvent::ArchiveNamed { .. }
            | RegistryEvent::ArchiveForgotten { .. }
            | RegistryEvent::ProfilePublished { .. }
            | RegistryEvent::ProfileUnbound { .. }
            | RegistryEvent::ProfileDeprecated { .. }
            | RegistryEvent::ProfileRevoked { .. }
            | RegistryEvent::ObjectPublished { .. }
            | RegistryEvent::ObjectDeprecated { .. }
            | RegistryEvent::ObjectRevoked { .. }
            | RegistryEvent::ProfileBound { .. }
            | RegistryEvent::PackDeprecated { .. }
            | RegistryEvent::PackRevoked { .. } => {}
        }
    }

    fn trust(&mut self, seq: u64, key: &TrustedKey, replaces: Option<&KeyId>) {
        self.keys.entry(key.key_id.clone()).or_insert_with(|| KeyRecord {
            key: TrustedKey { status: KeyStatus::Active, ..key.clone() },
            trusted_at: Some(seq),
            retired_at: None,
            revoked_at: None,
        });
        let old = replaces.and_then(|id| self.keys.get_mut(id)).filter(|old| old.key.status == KeyStatus::Active);
        if let Some(old) = old {
            old.key.status = KeyStatus::Retired { replaced_by: key.key_id.clone() };
            old.retired_at = Some(seq);
        }
    }

    fn revoke(&mut self, seq: u64, key_id: &KeyId, reason: &str) {
        if let Some(record) = self.keys.get_mut(key_id).filter(|r| r.revoked_at.is_none()) {
            record.key.status = KeyStatus::Revoked { reason: reason.to_owned() };
            record.revoked_at = Some(seq);
        }
    }

    /// Returns the record of a key.
    pub fn get(&self, key_id: &KeyId) -> Option<&KeyRecord> {
        self.keys.get(key_id)
    }

    /// Iterates over all keys, by id.
    pub fn keys(&self) -> impl Iterator<Item = &KeyRecord> {
        self.keys.values()
    }

    /// Returns the store to export.
    pub fn store(&self) -> TrustStore {
        TrustStore { format: TRUST_FORMAT, keys: self.keys.values().map(|r| r.key.clone()).collect() }
    }

    /// Returns the person behind a key, or the key itself if none is known: two keys of one person are one reviewer.
    pub fn identity(&self, key_id: &KeyId) -> String {
        let person = self.keys.get(key_id).and_then(|record| record.key.person.clone());
        person.unwrap_or_else(|| key_id.to_string())
    }

    /// Returns the public half of a key, whatever its standing: a revoked signer differs from an unknown one.
    pub fn public_key(&self, key_id: &KeyId) -> Option<PublicKey> {
        let key = &self.keys.get(key_id)?.key;
        (key.public_key.id() == *key_id).then(|| key.public_key.clone())
    }

    /// Returns the standing of a key for a signature made at `when`.
    pub fn standing(&self, key_id: &KeyId, when: SigningTime) -> Standing<'_> {
        let Some(record) = self.keys.get(key_id) else { return Standing::Unknown };
        let key = &record.key;
        let before = |place: Option<u64>| matches!((when, place), (SigningTime::At(seq), Some(place)) if seq < place);
        if before(record.trusted_at) {
            return Standing::Unknown;
        }
        match &key.status {
            KeyStatus::Active => Standing::Good(key),
            KeyStatus::Revoked { reason } => Standing::Revoked(key, reason),
            KeyStatus::Retired { .. } if before(record.retired_at) => Standing::Good(key),
            KeyStatus::Retired { .. } if when == SigningTime::Unknown => Standing::GoodIfBefore(key),
            KeyStatus::Retired { replaced_by } => Standing::Retired(key, replaced_by),
        }
    }
}
