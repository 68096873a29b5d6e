//! Calls, contexts and replies as blobs.

use deed_canon::{ContentHash, to_canonical_of};
use deed_model::{ModelReply, StoredExchange};
use deed_ports::{BlobRead, BlobWrite, RawExchange, StoreError, StoreErrorKind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Read as _;

/// The size limit of what is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// Stores a value by its canonical bytes.
pub(crate) fn put(blobs: &dyn BlobWrite, value: &impl Serialize) -> Result<ContentHash, StoreError> {
    let bytes = to_canonical_of(value).map_err(|error| {
        StoreError::new(StoreErrorKind::Unavailable, format!("a call of a model has no canonical form: {error}"))
    })?;
    Ok(blobs.put(&mut bytes.as_slice())?.sha256)
}

/// Stores requests and responses as they were sent and received.
pub(crate) fn exchanges(blobs: &dyn BlobWrite, exchanges: &[RawExchange]) -> Result<Vec<StoredExchange>, StoreError> {
    let kept = exchanges.iter().map(|exchange| {
        Ok(StoredExchange {
            url: exchange.url.clone(),
            request: blobs.put(&mut exchange.request.as_slice())?.sha256,
            status: exchange.status,
            response: blobs.put(&mut exchange.response.as_slice())?.sha256,
        })
    });
    kept.collect()
}

/// Loads a value that was stored by its canonical bytes.
///
/// # Errors
/// It is missing or was altered; the reason in words.
pub(crate) fn load_value<T: DeserializeOwned>(blobs: &dyn BlobRead, sha256: &ContentHash) -> Result<T, String> {
    let mut bytes = Vec::new();
    let blob = blobs.open(sha256).map_err(|error| error.message)?;
    blob.take(LARGEST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if ContentHash::of_bytes(&bytes) != *sha256 {
        return Err(format!("the stored bytes of {sha256} were altered"));
    }
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}

/// Loads a reply.
///
/// # Errors
/// It is missing or was altered; the reason in words.
pub(crate) fn load_reply(blobs: &dyn BlobRead, sha256: &ContentHash) -> Result<ModelReply, String> {
    load_value(blobs, sha256)
}
