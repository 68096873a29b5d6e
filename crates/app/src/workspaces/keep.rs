//! The outputs of runs in their workspace: written once a run has ended, after its receipts were verified, all or none.

use super::open::{OpenWorkspace, named};
use super::{findings, refused};
use crate::error::AppError;
use crate::keys;
use crate::registry;
use crate::runs::{LoadedRun, load, verify};
use crate::session::Session;
use deed_canon::{ContentHash, PublicKey, Statement, to_canonical_of};
use deed_diag::codes;
use deed_model::{FileOrigin, FileSuccessor, FileVersion, RunEvent, RunOutcome, RunRequest, RunSeal, StoredContent};
use deed_store::Outcome;
use deed_workspace::{RunFile, RunFiles, WorkspaceState, begin_run, by_person, end_run};
use serde::Deserialize;
use std::collections::BTreeMap;
use tracing::info_span;

/// The outputs of a run in its workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptOutputs {
    /// The workspace.
    pub workspace: String,
    /// The files that the run wrote.
    pub files: Vec<KeptFile>,
    /// True if they were written now, and not before.
    pub is_new: bool,
}

/// A file that a run wrote to its workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFile {
    /// The path.
    pub path: String,
    /// The version.
    pub version: u64,
    /// The version of a later run, which stays the newest.
    pub superseded_by: Option<FileSuccessor>,
    /// The files whose place it took: each with the version that says so.
    pub replaced: Vec<(String, u64)>,
}

/// What became of the outputs of a run of a workspace that has ended.
#[derive(Debug)]
pub enum RunOutputs {
    /// They are in its workspace, as far as it has any.
    Kept(KeptOutputs),
    /// They are not, for this reason.
    NotKept(AppError),
}

/// Returns what became of the outputs of a run; none for a run outside of workspaces, and for one that has not ended.
pub fn outputs_of(session: &Session, loaded: &LoadedRun) -> Option<RunOutputs> {
    let of = loaded.state.request.as_ref()?.workspace.as_ref()?;
    let outcome = loaded.state.ended?;
    let found = named(session, &of.workspace).and_then(|opened| match is_settled(&opened, &loaded.run_id)? {
        true => kept(&opened, &loaded.run_id, false),
        false => Err(not_kept(session, &opened, loaded, outcome)),
    });
    Some(found.map_or_else(RunOutputs::NotKept, RunOutputs::Kept))
}

/// The reason why the outputs of a run that has ended are not in its workspace: what hinders writing them, or else the process
/// that drove it was killed.
fn not_kept(session: &Session, opened: &OpenWorkspace, loaded: &LoadedRun, outcome: RunOutcome) -> AppError {
    let run_id = &loaded.run_id;
    let message = match loaded.state.sealed {
        true => format!("the process that drove the run `{run_id}` was killed before its outputs were written"),
        false => format!("the process that drove the run `{run_id}` was killed before its end was sealed"),
    };
    let help = format!("`deed runs resume {run_id}` writes them, and so does the next run of the workspace");
    let killed = refused(codes::RUN_NOT_SETTLED, message, help);
    if !loaded.state.sealed {
        return killed;
    }
    let hindered = written(session, loaded, outcome).and_then(|files| {
        let state = opened.state()?;
        // Its submission may be missing as well, which is recorded first.
        match &loaded.state.request {
            Some(RunRequest { plan_hash, actor, .. }) if state.run(run_id).is_some() => {
                let ended = RunFiles { run_id, plan_hash: *plan_hash, outcome, files: &files, actor };
                end_run(&state, ended).map(drop).map_err(findings)
            }
            Some(_) | None => Ok(()),
        }
    });
    hindered.err().unwrap_or(killed)
}

fn is_settled(opened: &OpenWorkspace, run_id: &str) -> Result<bool, AppError> {
    Ok(opened.state()?.run(run_id).is_some_and(|run| run.ended.is_some()))
}

/// Refuses an actor who is no person of the workspace of a run: outsiders neither resume nor cancel it.
///
/// # Errors
/// The workspace is not there, or the actor is no person of it.
pub(crate) fn by_member(session: &Session, request: Option<&RunRequest>) -> Result<(), AppError> {
    match request.and_then(|request| request.workspace.as_ref()) {
        Some(frozen) => {
            let state = named(session, &frozen.workspace)?.state()?;
            by_person(&state, &session.stamp()?.actor).map_err(findings)
        }
        None => Ok(()),
    }
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

/// Records a submission that was read from the journal, or just made.
pub(super) fn record_begin(session: &Session, opened: &OpenWorkspace, request: &RunRequest) -> Result<(), AppError> {
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
    if is_settled(&opened, &loaded.run_id)? {
        return Ok(Some(kept(&opened, &loaded.run_id, false)?));
    }
    record_begin(session, &opened, &request)?;
    let files = written(session, &loaded, outcome)?;
    let stamp = session.stamp()?;
    let end = |state: &WorkspaceState| {
        let (run_id, plan_hash) = (loaded.run_id.as_str(), request.plan_hash);
        end_run(state, RunFiles { run_id, plan_hash, outcome, files: &files, actor: &stamp.actor })
    };
    let recorded = opened.store.append(&stamp, end).map_err(registry::error)?;
    Ok(Some(kept(&opened, &loaded.run_id, matches!(recorded, Outcome::Recorded(_)))?))
}

/// The files that a run with this outcome writes.
fn written(session: &Session, loaded: &LoadedRun, outcome: RunOutcome) -> Result<Vec<RunFile>, AppError> {
    match outcome {
        RunOutcome::Succeeded => outputs(session, loaded),
        RunOutcome::Failed | RunOutcome::Cancelled => Ok(Vec::new()),
    }
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
    let replaced = |path: &str, version: u64| {
        let by = move |by: &FileSuccessor| by.path == path && by.version == version && by.run_id == run_id;
        replaced_where(&state, by)
    };
    let file = |(path, version): (&String, &FileVersion)| KeptFile {
        path: path.clone(),
        version: version.version,
        superseded_by: version.superseded_by.clone(),
        replaced: replaced(path, version.version),
    };
    let files = written.map(file).collect();
    Ok(KeptOutputs { workspace: opened.name.clone(), files, is_new })
}

/// The files whose place an output took, by path: each with the version that says so.
pub(super) fn replaced_where(state: &WorkspaceState, by: impl Fn(&FileSuccessor) -> bool) -> Vec<(String, u64)> {
    let versions = state.files().flat_map(|file| file.versions.iter().map(|version| (&file.path, version)));
    let replaced = versions.filter(|(_, version)| version.replaced_by.as_ref().is_some_and(&by));
    replaced.map(|(path, version)| (path.clone(), version.version)).collect()
}
