//! The journal of runs: append-only, one hash chain for each run.

use crate::error::StoreError;
use deed_canon::{ChainHead, ContentHash};
use deed_model::{ForkedFrom, RunEvent, RunRecord};
use std::sync::Arc;

/// An event with its place in the chain of its run.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalEntry {
    /// Its place, from 0.
    pub seq: u64,
    /// Its hash.
    pub hash: ContentHash,
    /// The record.
    pub record: RunRecord,
}

/// A run as the journal lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunListing {
    /// Its name.
    pub run_id: String,
    /// The end of its chain.
    pub head: ChainHead,
    /// True if its last event is the end of the run.
    pub ended: bool,
}

/// The first broken link of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenLink {
    /// The run; `None` for the list of runs itself.
    pub run_id: Option<String>,
    /// The event.
    pub seq: u64,
    /// The damage, as text.
    pub what: String,
}

/// The durability that an append waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Wait until the events are on disk and survive a power cut.
    Durable,
    /// Do not wait. The events are on disk before any later durable append.
    Ordered,
}

/// The outcome of creating a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// The run is new.
    New,
    /// The same run exists already.
    Already,
}

/// Reading the journal.
pub trait JournalRead: Send + Sync {
    /// All runs, the oldest first.
    ///
    /// # Errors
    /// The journal is damaged or cannot be read, as for every method here.
    fn runs(&self) -> Result<Vec<RunListing>, StoreError>;

    /// The `most` newest runs, the newest first. Older runs are not read.
    fn newest(&self, most: usize) -> Result<Vec<RunListing>, StoreError>;

    /// The forked runs, each with its origin, the oldest first.
    fn forks(&self) -> Result<Vec<(String, ForkedFrom)>, StoreError>;

    /// The events of a run from a place on; none for an unknown run.
    fn events(&self, run_id: &str, from: u64) -> Result<Vec<JournalEntry>, StoreError>;

    /// Compares a run and the list of runs with their heads that were recorded outside the journal.
    fn anchored(&self, run_id: &str) -> Result<AnchorStatus, StoreError>;

    /// Verifies the whole journal. Returns the number of runs and events, or the first broken link.
    fn verify(&self) -> Result<Result<JournalExtent, BrokenLink>, StoreError>;
}

/// The extent of a verified journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JournalExtent {
    /// Runs.
    pub runs: u64,
    /// Events of all of them.
    pub events: u64,
    /// The end of the list of runs; `None` without runs.
    pub head: Option<ChainHead>,
}

/// The relation of a journal to its heads that were recorded outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnchorStatus {
    /// The journal extends the recorded heads, or there is no anchor.
    Extends,
    /// No head of this run is recorded, and it is not sealed.
    Unknown,
    /// It lacks a recorded head: events were truncated or replaced, as by an older copy of the journal.
    RolledBack {
        /// The run; `None` for the list of runs.
        run_id: Option<String>,
        /// The recorded head.
        head: ChainHead,
    },
}

/// Writing the journal.
pub trait JournalWrite: Send + Sync {
    /// Begins the chain of a run with its first event, durably. If the run exists with the same request, nothing is
    /// written; with another request it is refused.
    ///
    /// # Errors
    /// The name is not allowed or belongs to another request, an earlier append was refused, or the store cannot be
    /// written. The other methods fail in the same cases, and for an unknown run.
    fn create(&self, run_id: &str, first: RunRecord) -> Result<Created, StoreError>;

    /// Appends to the chain of a run, in order, all or nothing. Safe for concurrent threads and processes. Returns
    /// the end of the chain after a durable append; after an ordered one it is not known yet.
    fn append(&self, run_id: &str, records: Vec<RunRecord>, wait: Wait) -> Result<Option<ChainHead>, StoreError>;

    /// Appends durably unless an event at or after `from` satisfies `unless`. The check and the append are one write
    /// transaction: of two callers whose events exclude each other, exactly one writes.
    fn append_unless(
        &self,
        run_id: &str,
        records: Vec<RunRecord>,
        from: u64,
        unless: Unless,
    ) -> Result<AppendOutcome, StoreError>;

    /// Waits until all earlier appends are on disk, and returns the end of the run's chain.
    fn settle(&self, run_id: &str) -> Result<Option<ChainHead>, StoreError>;

    /// Records the heads of a run and of the list of runs outside the journal, once they are on disk. A head is never
    /// lowered. With [`Wait::Durable`] the record survives a power cut.
    fn anchor(&self, run_id: &str, wait: Wait) -> Result<(), StoreError>;

    /// Replaces the recorded heads of a run and of the list of runs by their present ends, also if these are lower.
    fn reanchor(&self, run_id: &str) -> Result<(), StoreError>;

    /// Makes this process the only one that drives a run. The right ends when it is dropped, and with the process.
    fn take(&self, run_id: &str) -> Result<Box<dyn RunHold>, StoreError>;
}

/// A condition on events that excludes an append.
pub type Unless = Arc<dyn Fn(&RunEvent) -> bool + Send + Sync>;

/// The result of a conditional append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendOutcome {
    /// The events are on disk; this is the new end of the chain.
    Written(ChainHead),
    /// Nothing was written: the event at this place excludes it.
    Excluded {
        /// The place of that event.
        seq: u64,
    },
}

/// The right to drive a run.
pub trait RunHold: Send + Sync + std::fmt::Debug {
    /// Returns whether the right is still held: no other process can have taken the run.
    fn is_held(&self) -> bool;
}
