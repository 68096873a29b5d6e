//! The exception that ended a program, as the hooks beside it recorded it: a call that the bridge refused, a request
//! that failed, or something else.

use crate::attempt::Attempt;
use serde::Deserialize;
use std::io::Read;

/// The file that the hooks write, in scratch.
const RECORD: [&str; 3] = ["work", ".deed", "ended.json"];
/// The largest record.
const LARGEST: u64 = 16 << 10;

/// The kind of exception that ended a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RaisedError {
    /// A call that failed, or an exception that was raised from it.
    Call,
    /// A request that failed.
    Network,
    /// Anything else.
    Other,
}

/// An exception as it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) struct Raised {
    /// Its kind.
    #[serde(rename = "raised")]
    pub(super) kind: RaisedError,
    /// True if a name was not resolved or a connection was not made, which is what code without a network meets.
    #[serde(default)]
    pub(super) unreachable: bool,
}

/// Reads the record; none if the program ended without an exception, or in a language without a hook. Code could write one
/// itself: it can only say why it failed, and not that it did not.
pub(super) fn by_code(attempt: &Attempt) -> Option<Raised> {
    let mut bytes = Vec::new();
    let file = attempt.stage.open_output(&RECORD).ok()?;
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
