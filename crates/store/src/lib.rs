//! The embedded registry, the log of decisions and the journal of runs: SQLite for events, a content-addressed directory for bytes.
//!
//! The audit log is the registry's source of truth. Every method folds it, checks a transition with the pure functions of
//! `deed_pack`, and appends, all inside one write transaction, so that two processes take turns. Bytes are
//! on disk before the event that refers to them is committed; a crash leaves the state before or after.

#![allow(clippy::disallowed_methods, reason = "this crate is where the files and databases of stores are touched")]

mod blobs;
mod chain;
mod decisions;
mod error;
mod evidence;
mod log;
mod memory;
mod open;
mod reads;
mod registry;
mod rows;
mod runs;
mod schema;
mod shards;
mod sqlite;
mod steps;
mod subjects;
mod verify;
mod workspaces;
mod writes;

pub use decisions::{DecisionEntry, DecisionLog, DecisionLogError, DecisionVerification, StoredDecision};
pub use error::RegistryError;
pub use memory::{CapturedMemory, MemoryEntry, MemoryStore, MemoryVerdict};
pub use open::Options;
pub use reads::{ExportedPack, LoadedPack, LogFilter, PackListing};
pub use registry::{Outcome, Registry, Stamp};
pub use rows::LogEntry;
pub use runs::{AnchorReport, Driver, RunStore, RunStoreOptions};
pub use sqlite::Durability;
pub use verify::Verification;
pub use workspaces::{WorkspaceEntry, WorkspaceStore};
