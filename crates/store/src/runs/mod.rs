//! The journal of runs and the bytes that it speaks of.
//!
//! What enters are records of runs and bytes; what leaves is a hash chain for each run, one more chain that lists the
//! runs, and blobs by their content. One thread of a store writes: it takes all that waits in its queue, applies it in
//! order inside one transaction, and answers once that is on disk. What must hold: nothing is acknowledged that a
//! power cut could undo; what was queued earlier is never missing where something later is there; no row of the
//! chains is ever changed.

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

/// The journal of runs and the store of their bytes in one folder. Share it as an `Arc`: all of its methods take
/// turns by themselves, and several stores and processes may have the same folder open.
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
    /// Writes what is left. Whoever must know that this worked settles before.
    fn drop(&mut self) {
        self.queue.close();
        if let Some(writer) = self.writer.take() {
            // A writer that panicked has answered nobody, and those who waited were told so.
            drop(writer.join());
        }
    }
}
