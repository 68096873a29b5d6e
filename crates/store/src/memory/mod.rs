//! The memory log: every transition of a memory as an event of one hash chain, and the content of memories by its hash.
//!
//! It is built as the registry is: no tables of state, only events; each operation folds, checks with the pure functions of
//! `deed_memory` and appends inside one immediate transaction, so that writers take turns; content is on disk before the
//! events that refer to it are committed. The content of what the checks reject is never written.

mod entry;
mod fault;
mod log;
mod open;
mod reads;
mod schema;
mod verify;
mod writes;

pub use entry::MemoryEntry;
pub use writes::{CapturedMemory, MemoryVerdict};

use crate::blobs::Blobs;
use crate::steps::Steps;
use log::Folded;
use rusqlite::Connection;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// An open memory log. Each thread or process opens its own.
#[derive(Debug)]
pub struct MemoryStore {
    dir: PathBuf,
    conn: Connection,
    blobs: Blobs,
    steps: Steps,
    /// The fold of the log, as far as this connection knows it.
    folded: RefCell<Option<Folded>>,
}

impl MemoryStore {
    /// The folder of the log.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}
