//! The key of a call follows from what the call is: the same code under the same contract makes the same keys.

use deed_canon::{CanonError, ContentHash, derive_id, hash, hash_of};
use deed_model::{CALL_ARGUMENTS_TAG, CALL_IDENTITY_TAG, CallIdentity};
use serde_json::Value;

/// The hash of the canonical arguments.
pub(crate) fn arguments_hash(arguments: &Value) -> Result<ContentHash, CanonError> {
    hash(&CALL_ARGUMENTS_TAG, arguments)
}

/// The key of a call.
pub(crate) fn call_key(identity: &CallIdentity) -> Result<String, CanonError> {
    Ok(derive_id("call", &hash_of(&CALL_IDENTITY_TAG, identity)?))
}
