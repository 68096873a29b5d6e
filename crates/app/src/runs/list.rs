//! Lists runs.

use super::load::{LoadedRun, store, store_error};
use super::rollback::rolled_back;
use super::status::Status;
use crate::error::AppError;
use crate::session::Session;
use deed_diag::Report;
use deed_ports::{JournalRead as _, StoreError};
use deed_runtime::RunState;

/// The runs of a project, the newest first.
#[derive(Debug, Default)]
pub struct RunList {
    /// The runs.
    pub runs: Vec<ListedRun>,
    /// The number of all runs.
    pub total: u64,
    /// Warnings about the journal.
    pub warnings: Report,
}

/// A run of a list.
#[derive(Debug)]
pub struct ListedRun {
    /// The run.
    pub run: LoadedRun,
    /// Its status.
    pub status: Status,
}

/// Lists runs, the newest first: all, or at most so many.
///
/// # Errors
/// There is no home, or the journal is damaged.
pub fn list(session: &Session, most: Option<u64>) -> Result<RunList, AppError> {
    let (home, store) = store(session)?;
    let Some(store) = store else { return Ok(RunList::default()) };
    let failed = |error: StoreError| store_error(&error);
    let total = store.count().map_err(failed)?;
    let most = most.unwrap_or(total).min(total);
    let mut runs = Vec::new();
    for listing in store.newest(usize::try_from(most).unwrap_or(usize::MAX)).map_err(failed)? {
        let entries = store.events(&listing.run_id, 0).map_err(failed)?;
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        let run = LoadedRun { run_id: listing.run_id, entries, state };
        let status = run.status(&store)?;
        runs.push(ListedRun { run, status });
    }
    Ok(RunList { runs, total, warnings: rolled_back(&home)? })
}
