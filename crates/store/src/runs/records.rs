//! Preparation of records for a chain: names are checked, bodies written in canonical form. The calling thread does all
//! of it, so that the writer thread only hashes and inserts.

use super::fault;
use deed_canon::to_canonical_of;
use deed_model::{RUN_EVENT_VERSION, RunEvent, RunRecord, RunRequest};
use deed_ports::{StoreError, StoreErrorKind};
use serde::Serialize;
use std::collections::BTreeMap;

const LONGEST_NAME: usize = 64;
/// The word for the newest run in commands, which no run can have as its name.
const NEWEST: &str = "last";

/// The stage of a run, by its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has not ended.
    Open,
    /// Its last event is its end.
    Ended,
    /// The end was signed; nothing follows.
    Sealed,
}

impl Stage {
    /// The stage of a run after an event.
    pub(super) fn after(event: &RunEvent) -> Self {
        match event {
            RunEvent::Ended { .. } => Self::Ended,
            RunEvent::Sealed { .. } => Self::Sealed,
            RunEvent::Submitted { .. }
            | RunEvent::Taken { .. }
            | RunEvent::StepStarted { .. }
            | RunEvent::Preflighted { .. }
            | RunEvent::CallBegan { .. }
            | RunEvent::CallEnded { .. }
            | RunEvent::CallRefused { .. }
            | RunEvent::ModelCallBegan { .. }
            | RunEvent::ModelAttempted { .. }
            | RunEvent::ModelCallEnded { .. }
            | RunEvent::Egress { .. }
            | RunEvent::Progress { .. }
            | RunEvent::GateOpened { .. }
            | RunEvent::GateDecided { .. }
            | RunEvent::ApprovalUsed { .. }
            | RunEvent::GateLapsed { .. }
            | RunEvent::StepParked { .. }
            | RunEvent::StepSucceeded { .. }
            | RunEvent::StepFailed { .. }
            | RunEvent::CancelRequested { .. }
            | RunEvent::Validated { .. }
            | RunEvent::Distilled { .. }
            | RunEvent::Checkpointed { .. } => Self::Open,
        }
    }

    /// The stored name.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Ended => "ended",
            Self::Sealed => "sealed",
        }
    }

    /// Parses a stored name.
    pub(super) fn read(word: &str) -> Option<Self> {
        [Self::Open, Self::Ended, Self::Sealed].into_iter().find(|stage| stage.as_str() == word)
    }
}

/// An event that is ready to be linked.
#[derive(Debug)]
pub(super) struct PreparedEvent {
    pub(super) body: String,
    pub(super) stage: Stage,
}

/// Refuses a name that no run can have. Names become file names.
pub(super) fn check_name(run_id: &str) -> Result<(), StoreError> {
    let sound = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-';
    if (1..=LONGEST_NAME).contains(&run_id.len()) && run_id.bytes().all(sound) {
        return Ok(());
    }
    let shown: String = run_id.chars().take(LONGEST_NAME).collect();
    Err(StoreError::new(StoreErrorKind::Unknown, format!("`{}` is not the name of a run", shown.escape_debug()))
        .help(format!(
            "names of runs are 1 to {LONGEST_NAME} of the characters a-z, 0-9, `_` and `-`, and begin with a letter or a digit"
        )))
}

/// Refuses a name that a new run cannot have: one with another meaning.
pub(super) fn check_new_name(run_id: &str) -> Result<(), StoreError> {
    check_name(run_id)?;
    if !run_id.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) {
        let message = format!("a run cannot be called `{run_id}`: a name begins with a letter or a digit");
        return Err(
            unfit(message).help("choose another name: other programs would take it for an option or a hidden file")
        );
    }
    if run_id == NEWEST {
        let message = format!("a run cannot be called `{NEWEST}`: the word means the newest run");
        return Err(unfit(message).help("choose another name"));
    }
    Ok(())
}

/// Prepares the first event of a run, and the canonical text of its request.
pub(super) fn prepare_first(run_id: &str, first: &RunRecord) -> Result<(PreparedEvent, String), StoreError> {
    let RunEvent::Submitted { run } = &first.event else {
        return Err(unfit(format!("the first event of run `{run_id}` is not its request")));
    };
    if run.run_id != run_id {
        return Err(unfit(format!("the first event of run `{run_id}` is the request of run `{}`", run.run_id)));
    }
    Ok((prepare(first)?, request_text(run)?))
}

/// Prepares events that follow the first.
pub(super) fn prepare_all(run_id: &str, records: &[RunRecord]) -> Result<Vec<PreparedEvent>, StoreError> {
    let events = records.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    if records.iter().any(|record| matches!(record.event, RunEvent::Submitted { .. })) {
        return Err(unfit(format!("run `{run_id}` has a request already")));
    }
    let sealed = events.iter().position(|event| event.stage == Stage::Sealed);
    if sealed.is_some_and(|at| at + 1 < events.len()) {
        return Err(sealed_already(run_id));
    }
    Ok(events)
}

/// The canonical text of a request. The source locations of its code are left out: a plan whose lines moved is the same
/// request.
pub(super) fn request_text(run: &RunRequest) -> Result<String, StoreError> {
    canonical(&RunRequest { code_places: BTreeMap::new(), ..run.clone() })
}

/// The canonical text of anything.
pub(super) fn canonical<T: Serialize>(value: &T) -> Result<String, StoreError> {
    let bytes = to_canonical_of(value).map_err(|e| unfit(format!("the event cannot be written: {e}")))?;
    String::from_utf8(bytes).map_err(|e| unfit(format!("the event cannot be written: {e}")))
}

/// Reads the record of a stored event.
pub(super) fn read(run_id: &str, seq: u64, body: &str) -> Result<RunRecord, StoreError> {
    match serde_json::from_str::<RunRecord>(body) {
        Ok(record) if record.version == RUN_EVENT_VERSION => Ok(record),
        Ok(record) => Err(unknown_version(run_id, seq, &format!("it has version {}", record.version))),
        // The parser's message is left out: it may repeat any content of the event.
        Err(_) => match serde_json::from_str::<serde::de::IgnoredAny>(body) {
            Ok(_) => Err(unknown_version(run_id, seq, "it has another form")),
            Err(_) => Err(fault::damaged(&format!("event {seq} of run `{run_id}` is not JSON"))),
        },
    }
}

/// The refusal of an event after the seal.
pub(super) fn sealed_already(run_id: &str) -> StoreError {
    unfit(format!("run `{run_id}` is sealed: nothing can follow")).help("start a new run, or fork this one")
}

fn prepare(record: &RunRecord) -> Result<PreparedEvent, StoreError> {
    if record.version != RUN_EVENT_VERSION {
        let message = format!("an event has version {}; this version writes {RUN_EVENT_VERSION}", record.version);
        return Err(unfit(message));
    }
    Ok(PreparedEvent { body: canonical(record)?, stage: Stage::after(&record.event) })
}

fn unfit(message: String) -> StoreError {
    StoreError::new(StoreErrorKind::Conflict, message)
}

fn unknown_version(run_id: &str, seq: u64, why: &str) -> StoreError {
    let message = format!("event {seq} of run `{run_id}` cannot be read by this version: {why}");
    StoreError::new(StoreErrorKind::Unavailable, message)
        .help("use a version of `deed` that is at least as new as the one that wrote it")
}
