//! The record read again: changes applied, and taken back.

use crate::climb::REPORT_VERSION;
use crate::edits::hash_of;
use deed_canon::ContentHash;
use deed_diag::Invariant as _;
use deed_model::{LadderChange, LadderReport, PatchOp};
use json_patch::Patch;
use serde_json::Value;

/// Why a record does not fit a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// A change cannot be applied.
    DoesNotApply {
        /// Which change, counted from zero.
        change: usize,
        /// What the patch said.
        message: String,
    },
    /// The guard found something and let it through, and the record does not repeat it.
    Concealed {
        /// Which change, counted from zero.
        change: usize,
    },
    /// The payload is not the one the record speaks of.
    OtherPayload,
    /// The record is of a version that is not read.
    OtherVersion(String),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DoesNotApply { change, message } => write!(f, "change {change} does not apply: {message}"),
            Self::Concealed { change } => {
                write!(f, "change {change} had something in it that the guard found, and the record does not repeat it")
            }
            Self::OtherPayload => f.write_str("the payload is not the one the record speaks of"),
            Self::OtherVersion(version) => write!(f, "`{version}` is no version of a record that is read"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Applies operations to a value; on failure the value is as it was.
pub(crate) fn apply(value: &mut Value, operations: &[PatchOp]) -> Result<(), String> {
    let document = serde_json::to_value(operations).map_err(|error| error.to_string())?;
    let patch: Patch = serde_json::from_value(document).map_err(|error| error.to_string())?;
    json_patch::patch(value, &patch).map_err(|error| error.to_string())
}

/// Where a change found its value, and where it left it.
fn places(change: &LadderChange) -> (&str, &str) {
    match change.patch.first() {
        Some(PatchOp::Move { from, path }) => (from, path),
        Some(other) => (other.path(), other.path()),
        None => ("", ""),
    }
}

fn hash_at(value: &Value, at: &str) -> ContentHash {
    hash_of(value.pointer(at).unwrap_or(&Value::Null))
}

/// A change without operations was taken from the record.
fn whole(index: usize, change: &LadderChange) -> Result<(), ReplayError> {
    if change.patch.is_empty() { Err(ReplayError::Concealed { change: index }) } else { Ok(()) }
}

/// Gives back what came in, from what went out and the record: the value, or the raw text as a JSON string.
pub fn undo(report: &LadderReport, output: &Value) -> Result<Value, ReplayError> {
    known(report)?;
    if report.output_hash != Some(hash_of(output)) {
        return Err(ReplayError::OtherPayload);
    }
    let mut value = output.clone();
    for (index, change) in report.changes.iter().enumerate().rev() {
        whole(index, change)?;
        let (before, after) = places(change);
        step(&mut value, index, &change.inverse, (after, change.after), (before, change.before))?;
    }
    if hash_of(&value) == report.input_hash { Ok(value) } else { Err(ReplayError::OtherPayload) }
}

/// Gives back what came in as JSON text. A number that became text is written in the digits of that text: `1.10`, and
/// not the `1.1` that its value is. Other numbers are written as their values are, in the record and in the payload alike.
pub fn undo_text(report: &LadderReport, output: &Value) -> Result<String, ReplayError> {
    let value = undo(report, output)?;
    let plain = |value: &Value| serde_json::to_string_pretty(value).invariant("a JSON value can be written");
    let written = plain(&value);
    if written.contains(DIGITS) || !report.changes.iter().any(|change| digits(change).is_some()) {
        return Ok(written);
    }
    // The same once more, with the digits marked as text where they go.
    let mut marked = output.clone();
    for (index, change) in report.changes.iter().enumerate().rev() {
        let inverse = match (digits(change), change.inverse.first()) {
            (Some(digits), Some(operation)) => {
                let (path, value) = (operation.path().to_owned(), Value::String(format!("{DIGITS}{digits}")));
                vec![PatchOp::Replace { path, value: value.into() }]
            }
            _ => change.inverse.clone(),
        };
        let failed = |message| ReplayError::DoesNotApply { change: index, message };
        apply(&mut marked, &inverse).map_err(failed)?;
    }
    let mut out = String::with_capacity(written.len());
    for (index, part) in plain(&marked).split(&format!("\"{DIGITS}")).enumerate() {
        // Behind the mark stand the digits and the quote that closes them.
        out.push_str(&if index == 0 { part.to_owned() } else { part.replacen('"', "", 1) });
    }
    Ok(out)
}

/// A mark before digits that no text of a payload has.
const DIGITS: &str = "\u{e000}digits\u{e000}";

/// The digits of a number that a change made into text.
fn digits(change: &LadderChange) -> Option<String> {
    let (Some(PatchOp::Replace { value: to, .. }), Some(PatchOp::Replace { value: from, .. })) =
        (change.patch.first(), change.inverse.first())
    else {
        return None;
    };
    let (to, from) = (to.value(), from.value());
    let text = to.as_str().filter(|_| from.is_number() && change.inverse.len() == 1)?;
    let same = deed_canon::parse(text.as_bytes()).is_ok_and(|read| read == *from);
    same.then(|| text.to_owned())
}

/// Gives what went out, from what came in and the record, without a rung or a model.
pub fn redo(report: &LadderReport, input: &Value) -> Result<Value, ReplayError> {
    known(report)?;
    if report.input_hash != hash_of(input) {
        return Err(ReplayError::OtherPayload);
    }
    let mut value = input.clone();
    for (index, change) in report.changes.iter().enumerate() {
        whole(index, change)?;
        let (before, after) = places(change);
        step(&mut value, index, &change.patch, (before, change.before), (after, change.after))?;
    }
    if report.output_hash == Some(hash_of(&value)) { Ok(value) } else { Err(ReplayError::OtherPayload) }
}

fn known(report: &LadderReport) -> Result<(), ReplayError> {
    if report.version == REPORT_VERSION { Ok(()) } else { Err(ReplayError::OtherVersion(report.version.clone())) }
}

/// Applies operations, and holds the value to the hashes of the record on both sides.
fn step(
    value: &mut Value,
    change: usize,
    operations: &[PatchOp],
    from: (&str, ContentHash),
    to: (&str, ContentHash),
) -> Result<(), ReplayError> {
    let broken = |message: &str| ReplayError::DoesNotApply { change, message: message.to_owned() };
    if hash_at(value, from.0) != from.1 {
        return Err(broken("the value it speaks of is another one"));
    }
    apply(value, operations).map_err(|message| broken(&message))?;
    if hash_at(value, to.0) != to.1 {
        return Err(broken("it gives another value than it says"));
    }
    Ok(())
}

/// Takes changes back, last to first.
pub(crate) fn take_back(value: &mut Value, changes: &[LadderChange]) -> bool {
    changes.iter().rev().all(|change| apply(value, &change.inverse).is_ok())
}
