//! The memory of a home: proposals, reviews, promotions, revocations, and recall for compiles.

mod decide;
mod findings;
mod propose;
mod read;
mod recall;
mod secrets;

pub use crate::runs::{DistillRequest, DistilledRun, LeftOutArtifact, ShownCandidate, distill};
pub use decide::{DecidedMemory, MemoryReview, expire, promote, review, revoke};
pub(crate) use propose::rules;
pub use propose::{ProposalRequest, ProposedMemory, propose};
pub use read::{ListedMemory, ShownMemory, list, show, verify};
pub(crate) use recall::{RecallInstant, Recaller};

use crate::error::AppError;
use crate::registry;
use crate::session::Session;
use crate::workspaces::{self, WorkspaceChoice};
use deed_canon::timestamp;
use deed_diag::{Diagnostic, Place, codes};
use deed_memory::{MemoryRecord, MemoryState, MemoryStatus, SetBack};
use deed_store::{MemoryStore, Stamp};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The memory log of the home, if anything was ever recorded in it.
fn existing(session: &Session) -> Result<Option<MemoryStore>, AppError> {
    existing_of(session, &WorkspaceChoice::InUse)
}

/// The memory log of a workspace, or else of the home, if anything was ever recorded in it.
fn existing_of(session: &Session, choice: &WorkspaceChoice) -> Result<Option<MemoryStore>, AppError> {
    MemoryStore::open_if_there(&folder_of(session, choice)?).map_err(registry::error)
}

/// The folder of the memory log: that of the workspace in use, otherwise the home's.
fn folder(session: &Session) -> Result<PathBuf, AppError> {
    folder_of(session, &WorkspaceChoice::InUse)
}

/// The folder of the memory log of the workspace that is chosen, otherwise the home's.
fn folder_of(session: &Session, choice: &WorkspaceChoice) -> Result<PathBuf, AppError> {
    let home = session.home()?;
    let workspace = workspaces::existing(session, choice)?;
    Ok(workspace.map_or_else(|| home.memory(), |name| home.workspace_memory(&name)))
}

/// A memory with its standing and its sources.
pub(crate) type StandingMemory = (MemoryRecord, MemoryStatus, Vec<String>);

/// Returns the memories of a log with their standing now and their sources, by id.
pub(crate) fn standings(session: &Session, folder: &Path) -> Result<BTreeMap<String, StandingMemory>, AppError> {
    let clock = instant(&session.stamp()?)?;
    let Some(store) = MemoryStore::open_if_there(folder).map_err(registry::error)? else { return Ok(BTreeMap::new()) };
    let state = store.state().map_err(registry::error)?;
    let now = state.now(clock);
    let mut all = BTreeMap::new();
    for record in state.records() {
        let provenance = match record.keeps_content() {
            true => store.proposal(&record.content).map_err(registry::error)?.provenance,
            false => Vec::new(),
        };
        all.insert(record.memory_id.clone(), (record.clone(), record.status(now), provenance));
    }
    Ok(all)
}

/// Counts the memories of a log, whatever their standing.
pub(crate) fn count_in(folder: &Path) -> Result<u64, AppError> {
    let Some(store) = MemoryStore::open_if_there(folder).map_err(registry::error)? else { return Ok(0) };
    Ok(store.state().map_err(registry::error)?.records().count() as u64)
}

/// The instant of a stamp.
fn instant(stamp: &Stamp) -> Result<Timestamp, AppError> {
    timestamp(&stamp.at).ok_or_else(|| AppError::internal("the session's time was checked before"))
}

/// Warns of events with an earlier time than one before them.
fn set_back(state: &MemoryState) -> Vec<Diagnostic> {
    let warn = |found: &SetBack| {
        let message = format!(
            "event {} of the memory log has the time {}, and one before it {}",
            found.seq, found.at, found.after
        );
        Diagnostic::warning(codes::MEMORY_CLOCK_SET_BACK, message)
            .stage("memory")
            .at(Place::file(format!("event:{}", found.seq)))
            .help("set the clock right; what had expired by the later time stays expired")
    };
    state.set_back().map(warn).collect()
}

/// The refusal of an id in a home without memories.
fn unknown(memory_id: &str) -> AppError {
    let message = format!("there is no memory {}", deed_diag::quote(memory_id));
    let finding = Diagnostic::error(codes::UNKNOWN_MEMORY, message).stage("memory");
    AppError::refused(finding.help("nothing was proposed in this home: `deed memory propose` does"))
}
