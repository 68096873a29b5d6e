//! Keys of calls.

use deed_canon::{CanonError, ContentHash, hash_of};
use deed_model::{MODEL_CALL_KEY_TAG, MODEL_CALL_TAG, ModelCall, ModelCallKey};

/// Returns the identity of a call: its typed hash and its occurrence.
fn call_identity(call: &ModelCall, occurrence: u64) -> Result<ModelCallKey, CanonError> {
    Ok(ModelCallKey { call: hash_of(&MODEL_CALL_TAG, call)?, occurrence })
}

/// Returns the key of a call: the typed hash of its identity. Reply, usage and cost are recorded under it.
///
/// # Errors
/// The call has no canonical form, such as one with a number beyond 2^53.
pub fn call_key(call: &ModelCall, occurrence: u64) -> Result<ContentHash, CanonError> {
    hash_of(&MODEL_CALL_KEY_TAG, &call_identity(call, occurrence)?)
}
