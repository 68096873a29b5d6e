//! Opens the store of runs and loads runs from it.

use super::status::Status;
use crate::conceal;
use crate::error::{AppError, ErrorKind};
use crate::home::Home;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, did_you_mean};
use deed_model::CompiledPlan;
use deed_ports::{BlobRead, EngineError, JournalEntry, JournalRead, RunListing, StoreError, StoreErrorKind};
use deed_runtime::RunState;
use deed_store::RunStore;

/// Characters of a name at least that stand for it.
const LEAST_BEGINNING: usize = 4;
/// Names that are listed where the beginning of several is given.
const MOST_NAMED: usize = 8;
/// Names that a misspelt one is compared with.
const MOST_LIKE: usize = 1_000;

/// Opens the store of runs; none where nothing has run yet.
///
/// # Errors
/// There is no home, or the store is damaged.
pub fn store(session: &Session) -> Result<(Home, Option<RunStore>), AppError> {
    let home = session.home()?;
    match RunStore::open(&home.runs()) {
        // Reading makes no folder; a journal that was copied without its anchor has none.
        Ok(store) if home.anchor().is_dir() => {
            let store = store.anchored_in(&home.anchor()).map_err(|error| store_error(&error))?;
            Ok((home, Some(store)))
        }
        Ok(store) => Ok((home, Some(store))),
        Err(error) if error.kind == StoreErrorKind::Unknown => Ok((home, None)),
        Err(error) => Err(store_error(&error)),
    }
}

/// Loads a run by its name, the beginning of its name, or `last`.
///
/// # Errors
/// There is no such run, several begin so, or the store is damaged.
pub fn load(session: &Session, name: &str) -> Result<(Home, RunStore, LoadedRun), AppError> {
    let (home, store) = store(session)?;
    let store = store.ok_or_else(|| no_such_run(name, &[]))?;
    let run_id = resolve_name(&store, name)?;
    let entries = store.events(&run_id, 0).map_err(|error| store_error(&error))?;
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    Ok((home, store, LoadedRun { run_id, entries, state }))
}

/// A run as its events have it.
#[derive(Debug)]
pub struct LoadedRun {
    /// Its name.
    pub run_id: String,
    /// Its events.
    pub entries: Vec<JournalEntry>,
    /// The state that they add up to.
    pub state: RunState,
}

impl LoadedRun {
    /// Its status, and whether a process drives it.
    ///
    /// # Errors
    /// The lock of the run cannot be read.
    pub fn status(&self, store: &RunStore) -> Result<Status, AppError> {
        Status::of(store, &self.run_id, &self.state, &self.entries).map_err(|error| store_error(&error))
    }

    /// Refuses a step that the run never reached.
    ///
    /// # Errors
    /// The run has no such step.
    pub fn require_step(&self, step: &str) -> Result<(), AppError> {
        if self.state.steps.contains_key(step) {
            return Ok(());
        }
        let like = did_you_mean(step, self.state.steps.keys().map(String::as_str));
        let message = format!("the run `{}` has not started a step {}", self.run_id, deed_diag::quote(step));
        let help = like.unwrap_or_else(|| format!("`deed runs show {}` lists its steps", self.run_id));
        Err(AppError::refused(Diagnostic::error(codes::UNKNOWN_RUN_STEP, message).stage("runs").help(help)))
    }
}

/// Resolves `last`, a name, or the beginning of exactly one name.
///
/// # Errors
/// There is no such run, or several begin so.
pub fn resolve_name(store: &RunStore, name: &str) -> Result<String, AppError> {
    let failed = |error: StoreError| store_error(&error);
    let names = |runs: Vec<RunListing>| runs.into_iter().map(|run| run.run_id).collect::<Vec<String>>();
    if name == "last"
        && let Some(last) = store.newest(1).map_err(failed)?.pop()
    {
        return Ok(last.run_id);
    }
    // In order of names, so that the whole name comes first.
    let begun = names(store.beginning(name, MOST_NAMED + 1).map_err(failed)?);
    match begun.as_slice() {
        [first, ..] if first == name => Ok(name.to_owned()),
        [only] if name.len() >= LEAST_BEGINNING => Ok(only.clone()),
        [] => Err(no_such_run(name, &names(store.newest(MOST_LIKE).map_err(failed)?))),
        several => Err(ambiguous(name, several)),
    }
}

/// The refusal of the beginning of more than one name, or of one that is too short.
fn ambiguous(name: &str, begun: &[String]) -> AppError {
    let shown: Vec<&str> = begun.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = if begun.len() > MOST_NAMED { " and more" } else { "" };
    let help = match begun.len() {
        1 => format!("write at least {LEAST_BEGINNING} characters: {}", shown.join(", ")),
        _ => format!("several runs begin with it: {}{more}", shown.join(", ")),
    };
    let message = format!("there is no run {}", deed_diag::quote(name));
    AppError::refused(conceal::diagnostic(Diagnostic::error(codes::UNKNOWN_RUN, message).stage("runs").help(help)))
}

fn no_such_run(name: &str, names: &[String]) -> AppError {
    let like = did_you_mean(name, names.iter().map(String::as_str));
    let (because, help) = match names {
        [] => (": nothing has run here yet", "`deed run PLAN` starts a run".to_owned()),
        _ => ("", like.unwrap_or_else(|| "`deed runs list` shows all runs".to_owned())),
    };
    let message = format!("there is no run {}{because}", deed_diag::quote(name));
    AppError::refused(conceal::diagnostic(Diagnostic::error(codes::UNKNOWN_RUN, message).stage("runs").help(help)))
}

/// Turns an error of the store into one of the operation.
pub fn store_error(error: &StoreError) -> AppError {
    let kind = match error.kind {
        StoreErrorKind::Unknown | StoreErrorKind::Held | StoreErrorKind::Conflict => ErrorKind::Refused,
        _ => ErrorKind::Environment,
    };
    // The store does not know what its checks are called here.
    let help = error.help.as_ref().map(|help| help.replace("`verify`", "`deed journal verify`"));
    let diagnostic = Diagnostic::error(codes::STORE_FAILED, error.message.clone()).stage("journal").help_opt(help);
    AppError::new(kind, conceal::diagnostic(diagnostic))
}

/// Turns an error of the engine into one of the operation.
pub fn engine_error(error: EngineError) -> AppError {
    match error {
        EngineError::Store(error) => store_error(&error),
        EngineError::Refused { code, message, help } => {
            AppError::refused(conceal::diagnostic(Diagnostic::error(code, message).stage("run").help_opt(help)))
        }
    }
}

/// Reads the compiled plan of a run; none where its bytes are missing or were altered.
pub fn plan_of(store: &dyn BlobRead, state: &RunState) -> Option<CompiledPlan> {
    let request = state.request.as_ref()?;
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut store.open(&request.plan_blob).ok()?, &mut bytes).ok()?;
    let plan: CompiledPlan = serde_json::from_slice(&bytes).ok()?;
    // The hash of a plan covers its steps by their hashes, so that these have to hold as well.
    let steps = plan.steps.iter().all(|step| deed_plan::spec_hash(step).ok() == Some(step.spec_hash));
    let whole = steps && deed_plan::plan_hash(&plan).ok() == Some(request.plan_hash);
    (whole && ContentHash::of_bytes(&bytes) == request.plan_blob).then_some(plan)
}

/// The same, or a refusal.
pub(super) fn require_plan(store: &dyn BlobRead, state: &RunState) -> Result<CompiledPlan, AppError> {
    plan_of(store, state).ok_or_else(|| {
        let diagnostic =
            Diagnostic::error(codes::PLAN_OF_RUN_MISSING, "the plan of this run is missing or was altered");
        AppError::environment(diagnostic.stage("run").help("restore the blobs from a backup"))
    })
}
