//! The log of a workspace: every version of a file, every change of people and settings, and every run as an event of one
//! hash chain.
//!
//! It is built as the memory log is: no tables of state, only events; each operation folds, checks with the pure functions of
//! `deed_workspace` and appends inside one immediate transaction, so that writers take turns. Content lies in the blobs of
//! the runs, and is on disk before the event that names it: what a run wrote is there already, and what a run reads needs no
//! copy.

mod entry;
mod fault;
mod log;
mod open;
mod reads;
mod schema;
mod verify;
mod writes;

pub use entry::WorkspaceEntry;

use crate::steps::Steps;
use log::Folded;
use rusqlite::Connection;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// An open log of a workspace. Each thread or process opens its own.
#[derive(Debug)]
pub struct WorkspaceStore {
    dir: PathBuf,
    conn: Connection,
    steps: Steps,
    /// The fold of the log, as far as this connection knows it.
    folded: RefCell<Option<Folded>>,
}

impl WorkspaceStore {
    /// The folder of the log.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}
