//! `progress.report`: reports the progress of the code. It costs nothing, and nothing depends on it.

use super::{CallResult, Failed, PreparedCall, Work, members, text};
use crate::attempt::{Attempt, Progress};
use crate::bridge::call::record;
use crate::bridge::error::BridgeError;
use deed_model::{BridgeErrorKind, Budget, RunEvent};
use deed_ports::Wait;
use serde_json::{Map, Value, json};

pub(super) const DEFINITION: (&str, &[(&str, &str)]) = (
    "says how far the code is",
    &[("done", "how many are done"), ("total", "of how many"), ("note", "a remark of up to 200 characters")],
);

/// The longest remark.
const LONGEST: usize = 200;

pub(super) fn prepare(arguments: &Value) -> Result<PreparedCall, BridgeError> {
    let members = members(arguments, DEFINITION.1)?;
    let number = |members: &Map<String, Value>, name: &str| match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value
            .as_u64()
            .map(Some)
            .ok_or_else(|| BridgeError::new(BridgeErrorKind::BadArguments, format!("`{name}` is a whole number"))),
    };
    let done =
        number(members, "done")?.ok_or_else(|| BridgeError::new(BridgeErrorKind::BadArguments, "`done` is missing"))?;
    let note = text(members, "note")?.map(|note| crate::conceal::secrets(note).chars().take(LONGEST).collect());
    let work = Work::Progress { done, total: number(members, "total")?, note };
    Ok(PreparedCall {
        work,
        most: Budget::default(),
        repeatable: true,
        summary: String::new(),
        effect: None,
        blocks: false,
        identity: None,
        item: None,
        escalations: Vec::new(),
    })
}

/// Reads a report that was kept unread; none if it is not valid.
pub(crate) fn read(arguments: &Value) -> Option<Progress> {
    match prepare(arguments).ok()?.work {
        Work::Progress { done, total, note } => Some((done, total, note)),
        Work::Fetch(_) | Work::Evaluate(_) | Work::Put { .. } => None,
    }
}

pub(super) fn execute(
    attempt: &Attempt,
    done: u64,
    total: Option<u64>,
    note: Option<String>,
) -> Result<CallResult, Box<Failed>> {
    if let Some(said) = attempt.progress((done, total, note)) {
        write_down(attempt, said).map_err(|error| Failed {
            error,
            spent: Budget::default(),
            settled: Budget::default(),
            failure: None,
        })?;
    }
    Ok(CallResult { value: json!({}), spent: Budget::default(), settled: Budget::default(), proof: Value::Null })
}

/// Records progress.
pub(crate) fn write_down(attempt: &Attempt, (done, total, note): Progress) -> Result<(), BridgeError> {
    let step = attempt.contract.step_id.clone();
    record(attempt, vec![RunEvent::Progress { step, done, total, note }], Wait::Ordered)
}
