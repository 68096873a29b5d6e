//! What commands that run things, or look at what ran, have in common.

pub(crate) mod head;
pub(crate) mod learned;
pub(crate) mod secrets;
pub(crate) mod shown;
pub(crate) mod status;
pub(crate) mod view;
mod workshop;

pub(crate) use workshop::{Machine, Workshop, no_tools};

use crate::args::Global;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::home::Home;
use deed_diag::{Code, Diagnostic, Report, did_you_mean};
use deed_ports::{EngineError, JournalEntry, JournalRead, RunListing, StoreError, StoreErrorKind};
use deed_runtime::RunState;
use deed_store::RunStore;
use status::Status;

const NO_SUCH_RUN: Code = Code::new("D2004");
const NO_SUCH_STEP: Code = Code::new("D2005");
const STORE: Code = Code::new("D2009");
pub(crate) const ROLLED_BACK: Code = Code::new("D2071");
const UNNOTED: Code = Code::new("D2075");
/// Characters of a name at least that stand for it.
const LEAST_BEGINNING: usize = 4;
/// Names that are listed where the beginning of several is given.
const MOST_NAMED: usize = 8;
/// Names that a misspelt one is compared with.
const MOST_LIKE: usize = 1_000;

/// The store of the home that is meant; none where nothing has run yet.
pub(crate) fn store(global: &Global) -> Result<(Home, Option<RunStore>), Failure> {
    let home = Home::find(global.home.as_deref())?;
    match RunStore::open(&home.runs()) {
        // Whoever only reads makes no folder; a journal that was copied without its anchor has none.
        Ok(store) if home.anchor().is_dir() => {
            let store = store.anchored_in(&home.anchor()).map_err(|error| store_failure(&error))?;
            Ok((home, Some(store)))
        }
        Ok(store) => Ok((home, Some(store))),
        Err(error) if error.kind == StoreErrorKind::Unknown => Ok((home, None)),
        Err(error) => Err(store_failure(&error)),
    }
}

/// What a missing note of the list of runs means.
const NOTHING_NOTED: &str = "there are runs, and no head of the list of runs is noted in `.deed/anchor`, so that an older \
                             copy of the journal would not be noticed";

/// Warnings where the journal lacks heads that were noted outside of it, or where none is noted.
pub(crate) fn rolled_back(home: &Home) -> Result<Report, Failure> {
    let compared = RunStore::compare_in(&home.runs(), &home.anchor()).map_err(|error| store_failure(&error))?;
    let mut report = Report::default();
    for (run_id, head) in compared.lacking {
        let of = run_id.map_or_else(|| "the list of runs".to_owned(), |run| format!("the journal of run `{run}`"));
        let message = format!("{of} was rolled back: it lacks event {} ({}), which was there", head.seq, head.hash);
        let help = "restore the newest copy of the journal; `deed explain D2071` says what can be done";
        report.push(Diagnostic::warning(ROLLED_BACK, message).stage("journal").help(help));
    }
    if compared.unnoted {
        let help = "check the journal with a head that was kept elsewhere: `deed journal verify --head HEAD`";
        report.push(Diagnostic::warning(UNNOTED, NOTHING_NOTED).stage("journal").help(help));
    }
    Ok(report)
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
    /// Where it stands, and whether a process drives it.
    pub(crate) fn status(&self, store: &RunStore) -> Result<Status, Failure> {
        Status::of(store, &self.run_id, &self.state, &self.entries).map_err(|error| store_failure(&error))
    }

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
    let failed = |error: StoreError| store_failure(&error);
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
fn ambiguous(name: &str, begun: &[String]) -> Failure {
    let shown: Vec<&str> = begun.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = if begun.len() > MOST_NAMED { " and more" } else { "" };
    let help = match begun.len() {
        1 => format!("write at least {LEAST_BEGINNING} characters: {}", shown.join(", ")),
        _ => format!("name one of those that begin so: {}{more}", shown.join(", ")),
    };
    let message = format!("there is no run {}", deed_diag::quote(name));
    Failure::refused(Diagnostic::error(NO_SUCH_RUN, message).stage("runs").help(help))
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
