//! Sets of files by content.

use super::artifact::ArtifactRecord;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A set of files that a step wrote or read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactSet {
    /// The path with its `*`, as in the contract.
    pub path: String,
    /// The number of files.
    pub files: u64,
    /// The total size in bytes.
    pub bytes: u64,
    /// Plain SHA-256 of the canonical bytes of the [`SetManifest`], under which it is stored.
    #[schemars(with = "String")]
    pub manifest: ContentHash,
}

/// The files of a set, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetManifest {
    /// The path with its `*`.
    pub set: String,
    /// The files.
    pub files: Vec<ArtifactRecord>,
}
