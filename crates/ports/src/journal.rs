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
    /// What was written.
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

/// The first place where a chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenLink {
    /// The run; none for the list of runs itself.
    pub run_id: Option<String>,
    /// The event.
    pub seq: u64,
    /// What was done to it, in words.
    pub what: String,
}

/// How long an append takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Until the events are on disk and would survive a power cut.
    Durable,
    /// Not at all. They are on disk before any later durable append is.
    Ordered,
}

/// Whether a run was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It was.
    New,
    /// The same was asked for before.
    Already,
}

/// Reading the journal.
pub trait JournalRead: Send + Sync {
    /// All runs, the oldest first.
    fn runs(&self) -> Result<Vec<RunListing>, StoreError>;

    /// The newest runs, the newest first, so many at most. Older runs are not read.
    fn newest(&self, most: usize) -> Result<Vec<RunListing>, StoreError>;

    /// The runs that were forked from another, each with what it was forked from, the oldest first.
    fn forks(&self) -> Result<Vec<(String, ForkedFrom)>, StoreError>;

    /// The events of a run from a place on; none for a run that is not known.
    fn events(&self, run_id: &str, from: u64) -> Result<Vec<JournalEntry>, StoreError>;

    /// Compares a run and the list of runs with the heads that were noted of them outside the journal.
    fn anchored(&self, run_id: &str) -> Result<Anchored, StoreError>;

    /// How many runs and events hold, or the first link that does not.
    fn verify(&self) -> Result<Result<JournalExtent, BrokenLink>, StoreError>;
}

/// How much a journal holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JournalExtent {
    /// Runs.
    pub runs: u64,
    /// Events of all of them.
    pub events: u64,
    /// The end of the list of runs; none where there are no runs.
    pub head: Option<ChainHead>,
}

/// Whether a journal extends what was noted of it outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Anchored {
    /// It does, or nothing is noted outside at all.
    Extends,
    /// Nothing is noted of this run, which is not sealed.
    Unknown,
    /// It lacks a head that was noted: events were cut off or replaced, as by an older copy of the journal.
    RolledBack {
        /// The run; none for the list of runs.
        run_id: Option<String>,
        /// The head that was noted.
        head: ChainHead,
    },
}

/// Writing the journal.
pub trait JournalWrite: Send + Sync {
    /// Begins the chain of a run with its first event, durably. If the run is there with the same request, nothing is
    /// written; with another one it is refused.
    fn create(&self, run_id: &str, first: RunRecord) -> Result<Created, StoreError>;

    /// Appends to the chain of a run, in order, all or nothing. Safe from many threads and processes at once. Returns
    /// the end of the chain behind a durable append; an ordered one does not know it yet.
    fn append(&self, run_id: &str, records: Vec<RunRecord>, wait: Wait) -> Result<Option<ChainHead>, StoreError>;

    /// Appends durably unless an event at or after `from` satisfies `unless`. The check and the append are one write
    /// transaction: of two callers whose events exclude each other, exactly one writes.
    fn append_unless(
        &self,
        run_id: &str,
        records: Vec<RunRecord>,
        from: u64,
        unless: Unless,
    ) -> Result<Appended, StoreError>;

    /// Waits until all that was appended before is on disk, and gives the end of the run's chain.
    fn settle(&self, run_id: &str) -> Result<Option<ChainHead>, StoreError>;

    /// Notes the ends of a run and of the list of runs outside the journal, once they are on disk. A note is never
    /// lowered. With [`Wait::Durable`] the note survives a power cut.
    fn anchor(&self, run_id: &str, wait: Wait) -> Result<(), StoreError>;

    /// Replaces what is noted of a run and of the list of runs by their present ends, also where these lie further back.
    fn reanchor(&self, run_id: &str) -> Result<(), StoreError>;

    /// Makes this process the only one that drives a run. It is given back when dropped, and when the process dies.
    fn take(&self, run_id: &str) -> Result<Box<dyn RunHold>, StoreError>;
}

/// A condition on events that excludes an append.
pub type Unless = Arc<dyn Fn(&RunEvent) -> bool + Send + Sync>;

/// The result of a conditional append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// The events are on disk; this is the end of the chain behind them.
    Written(ChainHead),
    /// Nothing was written: the event at this place excludes it.
    Excluded {
        /// The place of that event.
        seq: u64,
    },
}

/// The right to drive a run.
pub trait RunHold: Send + Sync + std::fmt::Debug {
    /// Returns whether it still stands: no other process can have taken the run.
    fn stands(&self) -> bool;
}
