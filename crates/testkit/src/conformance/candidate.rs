//! The interface of an engine under test.

use crate::conformance::scenario::Scenario;
use deed_canon::SigningKey;
use deed_model::RunRequest;
use deed_ports::{BlobRead, Engine, JournalRead};
use std::path::Path;
use std::sync::Arc;

/// An engine under test. A workspace is an empty folder at first, and everything of one workspace is reached
/// through it alone: other processes open the same.
///
/// Code in the sandbox must reach `127.0.0.1` if a rule of its contract allows that; the clock is the real time.
pub trait Candidate: Sync {
    /// Opens the engine on a workspace, as a new process does.
    fn open(&self, workspace: &Path) -> Arc<dyn Engine>;

    /// Compiles a scenario, and stores in the workspace everything that its request refers to.
    fn request(&self, workspace: &Path, scenario: &Scenario) -> RunRequest;

    /// The events of a workspace.
    fn journal(&self, workspace: &Path) -> Box<dyn JournalRead>;

    /// The bytes of a workspace.
    fn blobs(&self, workspace: &Path) -> Box<dyn BlobRead>;

    /// The key whose approvals are valid in a workspace.
    fn key(&self, workspace: &Path) -> SigningKey;

    /// Problems that the engine's own verification finds in an ended run: invalid receipts, leftover
    /// folders.
    fn complaints(&self, workspace: &Path, run_id: &str) -> Vec<String>;
}
