//! The profile of a run: its snapshot is stored with the run, so nothing outside can change what governs it.

use deed_canon::{ContentHash, hash_of, to_canonical_of};
use deed_model::{FrozenProfile, PROFILE_SNAPSHOT_TAG, ProfileSnapshot};
use deed_ports::{BlobRead, BlobWrite, StoreError, StoreErrorKind};
use std::io::Read as _;

/// The size limit of a snapshot, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Stores a snapshot and returns what the run's request says of it.
pub(crate) fn freeze(snapshot: &ProfileSnapshot, blobs: &dyn BlobWrite) -> Result<FrozenProfile, StoreError> {
    let uncanonical = |error: deed_canon::CanonError| {
        StoreError::new(StoreErrorKind::Unavailable, format!("the profile has no canonical form: {error}"))
    };
    let bytes = to_canonical_of(snapshot).map_err(uncanonical)?;
    Ok(FrozenProfile {
        profile_ref: snapshot.profile_ref.clone(),
        snapshot_hash: hash_of(&PROFILE_SNAPSHOT_TAG, snapshot).map_err(uncanonical)?,
        snapshot_blob: blobs.put(&mut bytes.as_slice())?.sha256,
    })
}

/// Loads the stored snapshot, which has to be the one that the run's request names.
///
/// # Errors
/// The reason in words.
pub(crate) fn load(frozen: &FrozenProfile, blobs: &dyn BlobRead) -> Result<ProfileSnapshot, String> {
    let mut bytes = Vec::new();
    let blob = blobs.open(&frozen.snapshot_blob).map_err(|error| error.message)?;
    blob.take(LARGEST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if ContentHash::of_bytes(&bytes) != frozen.snapshot_blob {
        return Err("its bytes were altered".to_owned());
    }
    let snapshot: ProfileSnapshot = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let hash = hash_of(&PROFILE_SNAPSHOT_TAG, &snapshot).map_err(|error| error.to_string())?;
    match hash == frozen.snapshot_hash && snapshot.profile_ref == frozen.profile_ref {
        true => Ok(snapshot),
        false => Err("it is not the snapshot that the run names".to_owned()),
    }
}
