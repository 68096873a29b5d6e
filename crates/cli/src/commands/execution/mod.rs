//! What commands that run things, or look at what ran, have in common.

pub(crate) mod learned;
pub(crate) mod secrets;
pub(crate) mod shown;
pub(crate) mod view;
mod workshop;

pub(crate) use workshop::{Machine, Workshop, no_tools};

use crate::args::Global;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::home::Home;
use deed_diag::{Code, Diagnostic, Report, did_you_mean};
use deed_ports::{EngineError, JournalEntry, JournalRead, StoreError, StoreErrorKind};
use deed_runtime::RunState;
use deed_store::RunStore;

const NO_SUCH_RUN: Code = Code::new("D2004");
const NO_SUCH_STEP: Code = Code::new("D2005");
const STORE: Code = Code::new("D2009");

/// The store of the home that is meant; none where nothing has run yet.
pub(crate) fn store(global: &Global) -> Result<(Home, Option<RunStore>), Failure> {
    let home = Home::find(global.home.as_deref())?;
    match RunStore::open(&home.runs()) {
        Ok(store) => Ok((home, Some(store))),
        Err(error) if error.kind == StoreErrorKind::Unknown => Ok((home, None)),
        Err(error) => Err(store_failure(&error)),
    }
}

/// A run by its name, or by the beginning of it.
pub(crate) fn load(global: &Global, name: &str) -> Result<(Home, RunStore, Loaded), Failure> {
    let (home, store) = store(global)?;
    let store = store.ok_or_else(|| no_such_run(name, &[]))?;
    let run_id = resolve(&store, name)?;
    let entries = store.events(&run_id, 0).map_err(|error| store_failure(&error))?;
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    Ok((home, store, Loaded { run_id, entries, state }))
}

/// A run as its events have it.
pub(crate) struct Loaded {
    pub(crate) run_id: String,
    pub(crate) entries: Vec<JournalEntry>,
    pub(crate) state: RunState,
}

impl Loaded {
    /// Refuses a step that the run never came to: nothing is not the same as nothing found.
    pub(crate) fn came_to(&self, step: &str) -> Result<(), Failure> {
        if self.state.steps.contains_key(step) {
            return Ok(());
        }
        let like = did_you_mean(step, self.state.steps.keys().map(String::as_str));
        let message = format!("the run `{}` never came to a step {}", self.run_id, deed_diag::quote(step));
        let help = like.unwrap_or_else(|| format!("`deed runs show {}` lists its steps", self.run_id));
        Err(Failure::refused(Diagnostic::error(NO_SUCH_STEP, message).stage("runs").help(help)))
    }
}

/// The whole name of a run: `last`, the name, or the beginning of one that no other has.
pub(crate) fn resolve(store: &RunStore, name: &str) -> Result<String, Failure> {
    let runs = store.runs().map_err(|error| store_failure(&error))?;
    let names: Vec<String> = runs.into_iter().map(|run| run.run_id).collect();
    if name == "last"
        && let Some(last) = names.last()
    {
        return Ok(last.clone());
    }
    if names.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let mut begun = names.iter().filter(|known| known.starts_with(name) && name.len() >= 4);
    match (begun.next(), begun.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => Err(no_such_run(name, &names)),
    }
}

fn no_such_run(name: &str, names: &[String]) -> Failure {
    let help = did_you_mean(name, names.iter().map(String::as_str))
        .unwrap_or_else(|| "`deed runs list` shows those that there are".to_owned());
    let message = format!("there is no run {}", deed_diag::quote(name));
    Failure::refused(Diagnostic::error(NO_SUCH_RUN, message).stage("runs").help(help))
}

/// Trouble with the store as a failure of the command.
pub(crate) fn store_failure(error: &StoreError) -> Failure {
    let exit = match error.kind {
        StoreErrorKind::Unknown | StoreErrorKind::Held | StoreErrorKind::Conflict => Exit::Findings,
        _ => Exit::Environment,
    };
    // The store does not know what its checks are called here.
    let help = error.help.as_ref().map(|help| help.replace("`verify`", "`deed journal verify`"));
    let diagnostic = Diagnostic::error(STORE, error.message.clone()).stage("journal").help_opt(help);
    Failure { exit, report: Report::of(diagnostic) }
}

/// An engine's refusal as a failure of the command.
pub(crate) fn engine_failure(error: EngineError) -> Failure {
    match error {
        EngineError::Store(error) => store_failure(&error),
        EngineError::Refused { code, message, help } => {
            Failure::refused(Diagnostic::error(Code::new(code), message).stage("run").help_opt(help))
        }
    }
}
