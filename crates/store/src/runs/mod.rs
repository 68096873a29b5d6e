//! The journal of runs and the blobs that it refers to.
//!
//! Input: records of runs, and bytes. Output: a hash chain for each run, one more chain that lists the runs, and blobs by
//! their content. One thread of a store writes: it takes everything in its queue, applies it in order inside one
//! transaction, and answers once that is on disk. Invariants: nothing is acknowledged that a power cut could undo; if a
//! job is on disk, so are all jobs queued before it; no row of the chains is ever changed.

mod adopt;
mod anchor;
mod apply;
mod blobs;
mod differs;
mod fault;
mod files;
mod hold;
mod job;
mod links;
mod listed;
mod log;
mod open;
mod options;
mod queue;
mod read;
mod readers;
mod records;
mod schema;
mod small;
mod temporary;
mod verify;
mod write;
mod writer;

pub use anchor::AnchorReport;
pub use hold::Driver;
pub use options::RunStoreOptions;

use crate::runs::anchor::Anchor;
use crate::runs::files::Files;
use crate::runs::queue::Queue;
use crate::runs::readers::Readers;
use crate::steps::Steps;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

/// The journal of runs and the store of their blobs in one folder. Share it as an `Arc`: its methods can be called from
/// many threads, and several stores and processes may have the same folder open.
#[derive(Debug)]
pub struct RunStore {
    dir: PathBuf,
    queue: Arc<Queue>,
    readers: Readers,
    files: Files,
    steps: Arc<Steps>,
    writer: Option<JoinHandle<()>>,
    anchor: Option<Anchor>,
}

impl RunStore {
    /// The folder of the store.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

impl Drop for RunStore {
    /// Writes the rest of the queue. A caller that must know that this worked calls `settle` before.
    fn drop(&mut self) {
        self.queue.close();
        if let Some(writer) = self.writer.take() {
            // After a panic of the writer, every waiting caller has received an error.
            drop(writer.join());
        }
    }
}
