//! Ids that follow from content, so that a replay gives the same ones.

use crate::hash::ContentHash;

/// `<prefix>_` and the first 16 bytes of the hash in hex.
pub fn derive_id(prefix: &str, hash: &ContentHash) -> String {
    let hex = hash.hex();
    format!("{prefix}_{}", hex.get(..32).unwrap_or(&hex))
}
