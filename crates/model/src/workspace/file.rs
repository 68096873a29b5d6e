//! Versions of files in a workspace, each with its origin.

use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stored content by its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredContent {
    /// Plain SHA-256 of its bytes.
    #[schemars(with = "String")]
    pub sha256: ContentHash,
    /// The size in bytes.
    pub size_bytes: u64,
}

/// The origin of a version of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum FileOrigin {
    /// A person uploaded it: the actor of the event.
    Person {
        /// The name of the file that was uploaded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<String>,
        /// A remark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A run wrote it, and its receipts were verified.
    Run {
        /// The run.
        run_id: String,
        /// The hash of its compiled plan.
        #[schemars(with = "String")]
        plan_hash: ContentHash,
        /// The step.
        step_id: String,
        /// The path in the run.
        artifact: String,
        /// The hash of the signed postflight receipt of the step: plain SHA-256 of its canonical envelope.
        #[schemars(with = "String")]
        receipt_hash: ContentHash,
    },
}

/// A version of a file that a run wrote, as it stands for another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileSuccessor {
    /// The path.
    pub path: String,
    /// The version.
    pub version: u64,
    /// The run that wrote it.
    pub run_id: String,
}

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileVersion {
    /// The version, counted from 1.
    pub version: u64,
    /// The time, in RFC 3339.
    pub at: String,
    /// The actor.
    pub actor: String,
    /// The content; none for a removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<StoredContent>,
    /// The origin; none for a removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<FileOrigin>,
    /// The reason of a removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The version of a run that was submitted later. It was there when this one was written, and stays the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<FileSuccessor>,
    /// For a removal, the output that took the place of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<FileSuccessor>,
    /// The hash of its event in the log of the workspace.
    #[schemars(with = "String")]
    pub event: ContentHash,
}
