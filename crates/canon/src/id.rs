//! Ids derived from content, so that a replay derives the same ones.

use crate::hash::ContentHash;
use crate::hex::HexText;

/// Derives an id: `<prefix>_` and the first 16 bytes of the hash in hex.
pub fn derive_id(prefix: &str, hash: &ContentHash) -> String {
    format!("{prefix}_{}", HexText::<32>::new("", hash.as_bytes()).as_str())
}
