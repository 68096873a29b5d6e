//! The outputs of runs in their workspace: written once a run has ended, after its receipts were verified, all or none.

use super::open::{OpenWorkspace, named};
use super::refused;
use crate::error::AppError;
use crate::keys;
use crate::registry;
use crate::runs::{LoadedRun, load, verify};
use crate::session::Session;
use deed_canon::{ContentHash, PublicKey, Statement, to_canonical_of};
use deed_diag::codes;
use deed_model::{FileOrigin, RunEvent, RunOutcome, RunRequest, RunSeal, StoredContent};
use deed_store::Outcome;
use deed_workspace::{RunFile, RunFiles, WorkspaceState, begin_run, end_run};
use serde::Deserialize;
use std::collections::BTreeMap;
use tracing::info_span;

/// The outputs of a run in its workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptOutputs {
    /// The workspace.
    pub workspace: String,
    /// The files that the run wrote, each with its version.
    pub files: Vec<(String, u64)>,
    /// True if they were written now, and not before.
    pub is_new: bool,
}

/// Records that a run was submitted in its workspace, once.
///
/// # Errors
/// The workspace is not there, or the actor is no person of it.
pub(crate) fn began(session: &Session, request: &RunRequest) -> Result<(), AppError> {
    let Some(frozen) = &request.workspace else { return Ok(()) };
    let opened = named(session, &frozen.workspace)?;
    record_begin(session, &opened, request)
}

fn record_begin(session: &Session, opened: &OpenWorkspace, request: &RunRequest) -> Result<(), AppError> {
    let Some(frozen) = &request.workspace else { return Ok(()) };
    let stamp = session.stamp()?;
    let begin = |state: &WorkspaceState| begin_run(state, &request.run_id, &request.plan, &frozen.inputs, &stamp.actor);
    opened.store.append(&stamp, begin).map(drop).map_err(registry::error)
}

/// Writes the outputs of a run that has ended to its workspace, unless they were written; none for a run outside of
/// workspaces, and for one that has not ended.
///
/// # Errors
/// A receipt or stored bytes do not hold, or the quota is exceeded: nothing was written then.
pub(crate) fn keep(session: &Session, run_id: &str) -> Result<Option<KeptOutputs>, AppError> {
    let _span = info_span!("keep", run = run_id).entered();
    let (_, _, loaded) = load(session, run_id)?;
    let request = loaded.state.request.clone();
    let Some((request, frozen)) = request.and_then(|request| Some((request.clone(), request.workspace?))) else {
        return Ok(None);
    };
    let Some(outcome) = loaded.state.ended.filter(|_| loaded.state.sealed) else { return Ok(None) };
    let opened = named(session, &frozen.workspace)?;
    let before = opened.state()?;
    if before.run(&loaded.run_id).is_some_and(|run| run.ended.is_some()) {
        return Ok(Some(kept(&opened, &loaded.run_id, false)?));
    }
    record_begin(session, &opened, &request)?;
    let files = match outcome {
        RunOutcome::Succeeded => outputs(session, &loaded)?,
        RunOutcome::Failed | RunOutcome::Cancelled => Vec::new(),
    };
    let stamp = session.stamp()?;
    let end = |state: &WorkspaceState| {
        let (run_id, plan_hash) = (loaded.run_id.as_str(), request.plan_hash);
        end_run(state, RunFiles { run_id, plan_hash, outcome, files: &files, actor: &stamp.actor })
    };
    let recorded = opened.store.append(&stamp, end).map_err(registry::error)?;
    Ok(Some(kept(&opened, &loaded.run_id, matches!(recorded, Outcome::Recorded(_)))?))
}

/// Settles runs that ended without their outputs being written: the process that drove them was killed in between.
pub(super) fn settle(session: &Session, state: &WorkspaceState) -> Result<(), AppError> {
    for run in state.runs().filter(|run| run.ended.is_none()) {
        // A run whose journal is gone or damaged does not hinder others; `deed workspace show` lists it.
        if let Err(error) = keep(session, &run.run_id) {
            tracing::warn!(run = run.run_id, %error, "the outputs of a run were not written to its workspace");
        }
    }
    Ok(())
}

/// The delivered files of a run that verifies: as its seal lists them, each with the receipt that proves it.
fn outputs(session: &Session, loaded: &LoadedRun) -> Result<Vec<RunFile>, AppError> {
    let run_id = &loaded.run_id;
    let verified = verify(session, run_id, &[], &[])?;
    if !verified.is_sound() {
        let message = format!("the run `{run_id}` does not verify, and nothing of it was written to its workspace");
        let help = format!("`deed receipts verify {run_id}` names what does not hold");
        return Err(refused(codes::OUTPUTS_NOT_KEPT, message, help));
    }
    let receipts = receipts(loaded)?;
    let key = keys::public_key(&session.home()?, keys::WORKSPACE)?;
    let mut files = Vec::new();
    for delivered in sealed(loaded, &key)?.outputs {
        let step_id = loaded.state.artifacts().find(|(record, _)| **record == delivered).and_then(|(_, step)| step);
        let found = step_id.and_then(|step_id| Some((step_id.to_owned(), *receipts.get(step_id)?)));
        let Some((step_id, receipt_hash)) = found else {
            return Err(AppError::internal(format!("`{}` of run `{run_id}` has no receipt", delivered.path)));
        };
        let content = StoredContent { sha256: delivered.sha256, size_bytes: delivered.bytes };
        files.push(RunFile { artifact: delivered.path, content, step_id, receipt_hash });
    }
    Ok(files)
}

/// The hashes of the receipts of steps that succeeded, by step.
fn receipts(loaded: &LoadedRun) -> Result<BTreeMap<&str, ContentHash>, AppError> {
    let mut receipts = BTreeMap::new();
    for entry in &loaded.entries {
        if let RunEvent::StepSucceeded { step, receipt, .. } = &entry.record.event {
            let bytes = to_canonical_of(receipt).map_err(AppError::internal)?;
            receipts.insert(step.as_str(), ContentHash::of_bytes(&bytes));
        }
    }
    Ok(receipts)
}

/// The seal of a run, whose signature was verified.
fn sealed(loaded: &LoadedRun, key: &PublicKey) -> Result<RunSeal, AppError> {
    let seal = loaded.entries.iter().rev().find_map(|entry| match &entry.record.event {
        RunEvent::Sealed { seal } => Some(seal),
        _ => None,
    });
    let seal = seal.ok_or_else(|| AppError::internal("a run that is sealed has a seal"))?;
    let known = |id: &deed_canon::KeyId| (*id == key.id()).then(|| key.clone());
    let (statement, _) = Statement::open(seal, known).map_err(AppError::internal)?;
    RunSeal::deserialize(&statement.predicate).map_err(AppError::internal)
}

fn kept(opened: &OpenWorkspace, run_id: &str, is_new: bool) -> Result<KeptOutputs, AppError> {
    let state = opened.state()?;
    let own = |origin: &FileOrigin| matches!(origin, FileOrigin::Run { run_id: by, .. } if by == run_id);
    let versions = state.files().flat_map(|file| file.versions.iter().map(|version| (&file.path, version)));
    let written = versions.filter(|(_, version)| version.origin.as_ref().is_some_and(own));
    let files = written.map(|(path, version)| (path.clone(), version.version)).collect();
    Ok(KeptOutputs { workspace: opened.name.clone(), files, is_new })
}
