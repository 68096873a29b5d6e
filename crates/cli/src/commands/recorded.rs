//! Events of the registry's log, for `--json`.

use deed_store::Outcome;
use serde_json::{Value, json};

/// The event that an outcome appended; null where there was nothing to do.
pub(crate) fn event(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Recorded(head) => json!({ "seq": head.seq, "hash": head.hash }),
        Outcome::AlreadyDone => Value::Null,
    }
}
