//! What an engine has to bring along to be tried.

use crate::conformance::scenario::Scenario;
use deed_canon::SigningKey;
use deed_model::RunRequest;
use deed_ports::{BlobRead, Engine, JournalRead};
use std::path::Path;
use std::sync::Arc;

/// An engine that is tried. A workspace is an empty folder at first, and everything that is of one workspace is reached
/// through it alone: other processes open the same.
///
/// Code in the sandbox must reach `127.0.0.1` where a rule of its contract allows that; the time is the time of day.
pub trait Candidate: Sync {
    /// The engine on a workspace, as a process that has just begun opens it.
    fn open(&self, workspace: &Path) -> Arc<dyn Engine>;

    /// Compiles a scenario, and keeps in the workspace whatever its request only names.
    fn request(&self, workspace: &Path, scenario: &Scenario) -> RunRequest;

    /// The events of a workspace.
    fn journal(&self, workspace: &Path) -> Box<dyn JournalRead>;

    /// The bytes of a workspace.
    fn blobs(&self, workspace: &Path) -> Box<dyn BlobRead>;

    /// The key whose approvals hold in a workspace.
    fn key(&self, workspace: &Path) -> SigningKey;

    /// What the engine's own means find wrong with a run that has ended: receipts that do not hold, folders that were
    /// left.
    fn complaints(&self, workspace: &Path, run_id: &str) -> Vec<String>;
}
