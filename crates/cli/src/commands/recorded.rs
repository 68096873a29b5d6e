//! Events of the registry's log, for `--json`.

use deed_store::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// An event that was appended to the log.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Recorded {
    /// Its place.
    seq: u64,
    /// Its hash.
    hash: String,
}

/// Returns the event that an outcome appended; none where there was nothing to do.
pub(crate) fn event(outcome: &Outcome) -> Option<Recorded> {
    match outcome {
        Outcome::Recorded(head) => Some(Recorded { seq: head.seq, hash: head.hash.to_string() }),
        Outcome::AlreadyDone => None,
    }
}
