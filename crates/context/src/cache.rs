//! Hydrated packs, kept for the compiles that come after.

use crate::hydrate::Hydrated;
use deed_canon::ContentHash;
use deed_diag::Report;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

const BUCKETS: usize = 256;

/// What a hydrated pack follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HydrationKey {
    /// Typed hash of the pack as authored.
    pub pack: ContentHash,
    /// Hash of its overlays and of which of them are applied.
    pub overlays: ContentHash,
    /// What counts the tokens.
    pub tokenizer: String,
}

/// Hydrated packs by key. Entries are added and never changed or removed, so a reader follows pointers that were
/// published once: no lock, and no counter that two cores would fight over. Drop the whole to begin anew.
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
    next: OnceLock<Arc<Entry>>,
}

impl Default for Hydrations {
    fn default() -> Self {
        Self::new()
    }
}

impl Hydrations {
    /// Room for a thousand packs.
    pub fn new() -> Self {
        Self::with_room(1_000)
    }

    /// Room for so many packs.
    pub fn with_room(most: usize) -> Self {
        Self { buckets: Box::new([const { OnceLock::new() }; BUCKETS]), entries: AtomicUsize::new(0), most }
    }

    /// The pack of a key, if it is here.
    pub fn get(&self, key: &HydrationKey) -> Option<&Hydrated> {
        let mut slot = self.bucket(key);
        while let Some(entry) = slot.get() {
            if entry.key == *key {
                return Some(&entry.pack);
            }
            slot = &entry.next;
        }
        None
    }

    /// The pack of a key, made and kept where it is not here yet. Where there is no room left it is made for this once.
    pub fn get_or_hydrate(
        &self,
        key: HydrationKey,
        make: impl FnOnce() -> Result<Hydrated, Report>,
    ) -> Result<Cached<'_>, Report> {
        if let Some(pack) = self.get(&key) {
            return Ok(Cached::Kept(pack));
        }
        let pack = make()?;
        if self.entries.fetch_add(1, Ordering::Relaxed) >= self.most {
            self.entries.fetch_sub(1, Ordering::Relaxed);
            return Ok(Cached::Once(Box::new(pack)));
        }
        Ok(self.insert(Entry { key, pack, next: OnceLock::new() }))
    }

    fn bucket(&self, key: &HydrationKey) -> &OnceLock<Arc<Entry>> {
        let [first, ..] = &*self.buckets;
        let byte = |hash: &ContentHash| hash.as_bytes().first().copied().unwrap_or_default();
        let at = usize::from(byte(&key.pack) ^ byte(&key.overlays));
        self.buckets.get(at).unwrap_or(first)
    }

    /// Hangs an entry at the end of its bucket. Who comes second to a place goes on from what stands there now.
    fn insert(&self, entry: Entry) -> Cached<'_> {
        let mine = Arc::new(entry);
        let mut slot = self.bucket(&mine.key);
        loop {
            let there = slot.get_or_init(|| Arc::clone(&mine));
            if there.key == mine.key {
                if !Arc::ptr_eq(there, &mine) {
                    self.entries.fetch_sub(1, Ordering::Relaxed);
                }
                return Cached::Kept(&there.pack);
            }
            slot = &there.next;
        }
    }
}

/// A hydrated pack, from the cache or made for this once.
#[derive(Debug)]
pub enum Cached<'c> {
    /// From the cache.
    Kept(&'c Hydrated),
    /// Made for this once.
    Once(Box<Hydrated>),
}

impl std::ops::Deref for Cached<'_> {
    type Target = Hydrated;
    fn deref(&self) -> &Hydrated {
        match self {
            Self::Kept(pack) => pack,
            Self::Once(pack) => pack,
        }
    }
}
