//! Artifact records: files by path and content.

use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file by path and content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRecord {
    /// The path in the workspace.
    pub path: String,
    /// Plain SHA-256 of its bytes.
    #[schemars(with = "String")]
    pub sha256: ContentHash,
    /// The size in bytes; `bytes` in older records.
    #[serde(rename = "size_bytes", alias = "bytes")]
    pub bytes: u64,
}
