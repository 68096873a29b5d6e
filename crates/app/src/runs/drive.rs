//! Drives a run until it ends or waits for a person.

use super::environment::RunEnvironment;
use super::load::engine_error;
use super::transcript;
use crate::error::AppError;
use crate::workspaces::{self, RunOutputs};
use deed_ports::{Engine as _, JournalEntry, Observer, Standing};
use deed_runtime::RunState;
use std::sync::Arc;
use tracing::info_span;

/// A run after it was driven.
#[derive(Debug)]
pub struct Driven {
    /// Its standing: ended, or waiting.
    pub standing: Standing,
    /// Its events.
    pub entries: Vec<JournalEntry>,
    /// The state that they add up to.
    pub state: RunState,
    /// What became of the outputs in the workspace of the run; none for a run outside of workspaces, and for one that has not
    /// ended. Resuming the run writes outputs that were not kept.
    pub outputs: Option<RunOutputs>,
}

/// Drives a run until it ends or waits for a person. The observer receives each event.
///
/// # Errors
/// Another process drives the run, its journal was changed, the store cannot be used, or the transcript cannot be written.
pub fn drive(environment: &RunEnvironment, run_id: &str, observer: Arc<dyn Observer>) -> Result<Driven, AppError> {
    let _span = info_span!("drive", run = run_id).entered();
    let standing = environment.engine.drive(run_id, observer).map_err(engine_error)?;
    let (entries, state) = environment.engine.load(run_id).map_err(engine_error)?;
    if let Some(path) = &environment.record {
        transcript::write(path, &entries, &state, &*environment.engine.world().blobs)?;
    }
    let outputs = match standing {
        Standing::Ended(_) => workspaces::keep(&environment.session, run_id)
            .map_or_else(|error| Some(RunOutputs::NotKept(error)), |kept| kept.map(RunOutputs::Kept)),
        Standing::Waiting(_) | Standing::Running => None,
    };
    Ok(Driven { standing, entries, state, outputs })
}
