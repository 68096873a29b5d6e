//! Lists runs.

use super::load::{LoadedRun, store, store_error};
use super::rollback::rolled_back;
use super::status::Status;
use crate::conceal;
use crate::error::AppError;
use crate::session::Session;
use deed_diag::{Diagnostic, Report, codes, quote};
use deed_model::ProfileRef;
use deed_ports::{JournalRead as _, StoreError, StoreErrorKind};
use deed_runtime::RunState;

/// The runs of a project, the newest first.
#[derive(Debug, Default)]
pub struct RunList {
    /// The runs.
    pub runs: Vec<ListedRun>,
    /// The number of all runs.
    pub total: u64,
    /// Findings about the journal; an error for each run that is not listed because its events were altered.
    pub findings: Report,
    /// The number of runs that are not listed because their events were altered.
    pub damaged: u64,
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
/// There is no home, or the list of runs is damaged. A run whose own events were altered is a finding.
pub fn list(session: &Session, most: Option<u64>) -> Result<RunList, AppError> {
    let (home, store) = store(session)?;
    let Some(store) = store else { return Ok(RunList::default()) };
    let failed = |error: StoreError| store_error(&error);
    let total = store.count().map_err(failed)?;
    let most = most.unwrap_or(total).min(total);
    let (mut runs, mut findings, mut damaged) = (Vec::new(), rolled_back(&home)?, 0);
    for listing in store.newest(usize::try_from(most).unwrap_or(usize::MAX)).map_err(failed)? {
        let entries = match store.events(&listing.run_id, 0) {
            Ok(entries) => entries,
            // One damaged run hides no other.
            Err(error) if error.kind == StoreErrorKind::Corrupt => {
                findings.push(damage(&listing.run_id, &error));
                damaged += 1;
                continue;
            }
            Err(error) => return Err(failed(error)),
        };
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        let run = LoadedRun { run_id: listing.run_id, entries, state };
        let status = run.status(&store)?;
        runs.push(ListedRun { run, status });
    }
    Ok(RunList { runs, total, findings, damaged })
}

/// Returns the runs that have not ended and are governed by a profile, the newest first.
///
/// # Errors
/// The list of runs is damaged.
pub(crate) fn under_way(session: &Session, profile_ref: &ProfileRef) -> Result<Vec<String>, AppError> {
    let listed = list(session, None)?.runs.into_iter().filter(|listed| listed.run.state.ended.is_none());
    let governed = listed.filter(|listed| {
        let frozen = listed.run.state.request.as_ref().and_then(|request| request.profile.as_ref());
        frozen.is_some_and(|frozen| frozen.profile_ref == *profile_ref)
    });
    Ok(governed.map(|listed| listed.run.run_id).collect())
}

/// The error about a run whose journal was altered.
fn damage(run_id: &str, error: &StoreError) -> Diagnostic {
    let message = format!("run {} is not listed: {}", quote(run_id), error.message);
    let help = "`deed journal verify` names the first event that was altered";
    conceal::diagnostic(Diagnostic::error(codes::STORE_FAILED, message).stage("journal").help(help))
}
