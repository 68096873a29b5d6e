//! A cache of hydrated packs.

use crate::hydrate::Hydrated;
use deed_canon::ContentHash;
use deed_diag::{Invariant as _, Report};
use deed_model::{EnvironmentEndpoints, PackSource};
use jiff::{SignedDuration, Timestamp};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

const BUCKETS: usize = 256;

/// The key of a hydrated pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HydrationKey {
    /// Typed hash of the pack as authored.
    pub pack: ContentHash,
    /// Hash of its overlays and of the selection among them.
    pub overlays: ContentHash,
    /// The tokenizer.
    pub tokenizer: String,
    /// The origin of the pack, which every ledger states.
    pub source: PackSource,
    /// The endpoints of the environment, which the tool manifest states.
    pub endpoints: Option<EnvironmentEndpoints>,
}

/// Hydrated packs by key. Entries are added and never changed or removed, so a reader follows pointers that were
/// published once: no lock, and no counter that two cores would contend for. Drop the cache to start over.
///
/// An entry that was made at an instant serves the seconds that `pack_meta.ttl_seconds` counts from there, and no others:
/// then the pack is made again from its documents. Its room stays taken until the cache is dropped. Without an instant, as
/// in a replay, an entry never expires.
#[derive(Debug)]
pub struct Hydrations {
    buckets: Box<[OnceLock<Arc<Entry>>; BUCKETS]>,
    entries: AtomicUsize,
    most: usize,
}

#[derive(Debug)]
struct Entry {
    key: HydrationKey,
    pack: Hydrated,
    fresh: Option<Freshness>,
    next: OnceLock<Arc<Entry>>,
}

/// The instants that an entry serves: from the first to before the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Freshness {
    from: Timestamp,
    until: Timestamp,
}

impl Freshness {
    fn of(pack: &Hydrated, now: Timestamp) -> Self {
        let seconds = i64::try_from(pack.pack.pack_meta.ttl_seconds).unwrap_or(i64::MAX);
        let until = now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX);
        Self { from: now, until }
    }

    fn covers(&self, now: Timestamp) -> bool {
        self.from <= now && now < self.until
    }
}

impl Entry {
    fn serves(&self, key: &HydrationKey, now: Option<Timestamp>) -> bool {
        self.key == *key && now.is_none_or(|now| self.fresh.is_some_and(|fresh| fresh.covers(now)))
    }
}

impl Default for Hydrations {
    fn default() -> Self {
        Self::new()
    }
}

impl Hydrations {
    /// Creates a cache for a thousand packs.
    pub fn new() -> Self {
        Self::with_room(1_000)
    }

    /// Creates a cache for a number of packs.
    pub fn with_room(most: usize) -> Self {
        Self { buckets: Box::new([const { OnceLock::new() }; BUCKETS]), entries: AtomicUsize::new(0), most }
    }

    /// Returns the pack of a key, if it is cached; with an instant, if its copy is still fresh then.
    pub fn get(&self, key: &HydrationKey, now: Option<Timestamp>) -> Option<&Hydrated> {
        let mut slot = self.bucket(key);
        while let Some(entry) = slot.get() {
            if entry.serves(key, now) {
                return Some(&entry.pack);
            }
            slot = &entry.next;
        }
        None
    }

    /// Returns the pack of a key, and hydrates and caches it if needed: if it is not there, or its copy has expired at the
    /// instant. A full cache hydrates the pack for this call only.
    ///
    /// # Errors
    /// The report of `make`.
    pub fn get_or_hydrate(
        &self,
        key: HydrationKey,
        now: Option<Timestamp>,
        make: impl FnOnce() -> Result<Hydrated, Report>,
    ) -> Result<CachedPack<'_>, Report> {
        if let Some(pack) = self.get(&key, now) {
            return Ok(CachedPack::Kept(pack));
        }
        let pack = make()?;
        if self.entries.fetch_add(1, Ordering::Relaxed) >= self.most {
            self.entries.fetch_sub(1, Ordering::Relaxed);
            return Ok(CachedPack::Once(Box::new(pack)));
        }
        let fresh = now.map(|now| Freshness::of(&pack, now));
        Ok(self.insert(Entry { key, pack, fresh, next: OnceLock::new() }, now))
    }

    fn bucket(&self, key: &HydrationKey) -> &OnceLock<Arc<Entry>> {
        let ([pack, ..], [overlays, ..]) = (key.pack.as_bytes(), key.overlays.as_bytes());
        self.buckets.get(usize::from(pack ^ overlays)).invariant("there is a bucket for each byte")
    }

    /// Appends an entry to its bucket. If another thread was first, continues from that entry.
    fn insert(&self, entry: Entry, now: Option<Timestamp>) -> CachedPack<'_> {
        let mine = Arc::new(entry);
        let mut slot = self.bucket(&mine.key);
        loop {
            let there = slot.get_or_init(|| Arc::clone(&mine));
            if there.serves(&mine.key, now) {
                if !Arc::ptr_eq(there, &mine) {
                    self.entries.fetch_sub(1, Ordering::Relaxed);
                }
                return CachedPack::Kept(&there.pack);
            }
            slot = &there.next;
        }
    }
}

/// A hydrated pack, cached or for one use.
#[derive(Debug)]
pub enum CachedPack<'c> {
    /// A cached pack.
    Kept(&'c Hydrated),
    /// A pack for one use.
    Once(Box<Hydrated>),
}

impl std::ops::Deref for CachedPack<'_> {
    type Target = Hydrated;
    fn deref(&self) -> &Hydrated {
        match self {
            Self::Kept(pack) => pack,
            Self::Once(pack) => pack,
        }
    }
}
