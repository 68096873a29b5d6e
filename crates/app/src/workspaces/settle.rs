//! Runs that a killed process left: recorded in the order of their submission, sealed, and their outputs written, before the
//! next run is submitted.

use super::keep::{keep, record_begin};
use super::open::OpenWorkspace;
use crate::catalog;
use crate::error::AppError;
use crate::runs::{LoadedRun, MachineOptions, RunEnvironment, engine_error, load, store, store_error};
use crate::session::Session;
use deed_diag::{Diagnostic, codes};
use deed_model::{RunEvent, RunOutcome};
use deed_ports::{Engine as _, EngineError, JournalRead as _, StoreError, StoreErrorKind, Unobserved};
use deed_store::RunStore;
use deed_workspace::BeganRun;
use std::sync::Arc;

/// A run that has ended, and whose outputs could not be written to its workspace.
#[derive(Debug)]
pub(super) struct Unsettled {
    /// The run.
    pub(super) run_id: String,
    /// The name of its plan.
    pub(super) plan: String,
    /// True if it has succeeded, so that its outputs are missing.
    pub(super) has_outputs: bool,
    /// The reason.
    error: AppError,
}

impl Unsettled {
    /// The finding about it; the caller decides what it hinders.
    pub(super) fn found(&self) -> Diagnostic {
        let run_id = &self.run_id;
        let first = self.error.report.diagnostics().first();
        let why = first.map_or_else(String::new, |first| format!(": {}", first.message));
        let missing = match self.has_outputs {
            true => "its outputs are not in the workspace",
            false => "its end is not recorded in the workspace",
        };
        let fix = first.and_then(|first| first.help.clone()).map_or_else(String::new, |help| format!("{help}; "));
        Diagnostic::warning(codes::RUN_NOT_SETTLED, format!("the run `{run_id}` has ended, and {missing}{why}"))
            .stage("workspace")
            .help(format!("{fix}`deed runs resume {run_id}` settles it"))
    }
}

/// Settles the runs of a workspace that have ended, and returns those that could not be settled.
///
/// # Errors
/// A log cannot be read, or a submission cannot be recorded.
pub(super) fn settle(session: &Session, opened: &OpenWorkspace) -> Result<Vec<Unsettled>, AppError> {
    record_submissions(session, opened)?;
    let state = opened.state()?;
    let mut left = Vec::new();
    for run in state.runs().filter(|run| run.ended.is_none()) {
        left.extend(unsettled(session, run));
    }
    Ok(left)
}

/// Records the submission of runs whose process was killed before it could: the order of submissions decides which output is
/// the newest.
fn record_submissions(session: &Session, opened: &OpenWorkspace) -> Result<(), AppError> {
    match store(session)?.1 {
        Some(store) => record_unsealed(session, opened, &store),
        None => Ok(()),
    }
}

fn record_unsealed(session: &Session, opened: &OpenWorkspace, store: &RunStore) -> Result<(), AppError> {
    let state = opened.state()?;
    let failed = |error: StoreError| store_error(&error);
    for listing in store.unsealed().map_err(failed)?.iter().filter(|run| state.run(&run.run_id).is_none()) {
        // A damaged run does not hinder others; `deed journal verify` names it.
        let first = store.events(&listing.run_id, 0).ok().and_then(|entries| entries.into_iter().next());
        if let Some(RunEvent::Submitted { run }) = first.map(|entry| entry.record.event)
            && run.workspace.as_ref().is_some_and(|of| of.workspace == opened.name)
        {
            record_begin(session, opened, &run)?;
        }
    }
    Ok(())
}

fn unsettled(session: &Session, run: &BeganRun) -> Option<Unsettled> {
    let left = |has_outputs: bool, error: AppError| {
        let (run_id, plan) = (run.run_id.clone(), run.plan.clone());
        Some(Unsettled { run_id, plan, has_outputs, error })
    };
    let loaded = match load(session, &run.run_id) {
        Ok((_, _, loaded)) if loaded.run_id == run.run_id => loaded,
        // A run whose journal is gone does not hinder others; `deed workspace show` lists it.
        Ok(_) => return None,
        Err(error) if is_unknown(&error) => return None,
        Err(error) => return left(false, error),
    };
    let outcome = loaded.state.ended?;
    let settled = sealed(session, &loaded).and_then(|()| keep(session, &run.run_id));
    left(outcome == RunOutcome::Succeeded, settled.err()?)
}

/// Seals the end of a run, unless it is sealed or another process is about to.
fn sealed(session: &Session, loaded: &LoadedRun) -> Result<(), AppError> {
    if loaded.state.sealed {
        return Ok(());
    }
    let (catalog, _) = catalog::for_run(session, &[], &loaded.state)?;
    let environment = RunEnvironment::open(session, catalog, &MachineOptions::default())?;
    match environment.engine.drive(&loaded.run_id, Arc::new(Unobserved)) {
        // The process that holds it seals it, and writes its outputs.
        Err(EngineError::Store(StoreError { kind: StoreErrorKind::Held, .. })) => Ok(()),
        driven => driven.map(drop).map_err(engine_error),
    }
}

fn is_unknown(error: &AppError) -> bool {
    error.report.diagnostics().iter().any(|found| found.code == codes::UNKNOWN_RUN)
}
