//! Stored answers: small ones in the journal, larger ones as blobs, hashed again when they are read.

use crate::attempt::Attempt;
use deed_canon::{ContentHash, to_canonical};
use deed_model::CallOutcome;
use deed_ports::StoreError;
use serde_json::Value;
use std::io::Read;

/// The largest answer that is stored in the journal itself.
const INLINE: usize = 16 << 10;

/// The reason why an answer cannot be kept.
pub(super) enum KeepError {
    /// It has no canonical form.
    NotCanonical(String),
    /// The store failed.
    Store(StoreError),
}

/// Stores an answer.
pub(super) fn keep(attempt: &Attempt, value: &Value) -> Result<CallOutcome, KeepError> {
    let bytes = to_canonical(value).map_err(|error| KeepError::NotCanonical(error.to_string()))?;
    if bytes.len() <= INLINE {
        return Ok(CallOutcome::Result { value: value.clone() });
    }
    let kept = attempt.run.world.blobs.put(&mut bytes.as_slice()).map_err(KeepError::Store)?;
    Ok(CallOutcome::Stored { sha256: kept.sha256 })
}

/// Loads an answer that was stored as a blob.
pub(super) fn load(attempt: &Attempt, sha256: &ContentHash) -> Result<Value, String> {
    let mut blob = attempt.run.world.blobs.open(sha256).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    blob.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if ContentHash::of_bytes(&bytes) != *sha256 {
        return Err("the stored answer was altered".to_owned());
    }
    deed_canon::parse(&bytes).map_err(|error| error.to_string())
}
