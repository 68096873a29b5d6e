//! One operation of a JSON Patch (RFC 6902).

use super::patch_value::PatchValue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An operation; paths are JSON Pointers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
pub enum PatchOp {
    /// Inserts a value where there is none, or into a list.
    Add {
        /// The path.
        path: String,
        /// The value.
        value: Value,
    },
    /// Removes a value.
    Remove {
        /// The path.
        path: String,
    },
    /// Replaces a value.
    Replace {
        /// The path.
        path: String,
        /// The value.
        value: PatchValue,
    },
    /// Moves a value.
    Move {
        /// The source path.
        from: String,
        /// The target path.
        path: String,
    },
    /// Copies a value.
    Copy {
        /// The source path.
        from: String,
        /// The target path.
        path: String,
    },
    /// Requires that a value is there.
    Test {
        /// The path.
        path: String,
        /// The value.
        value: Value,
    },
}

impl PatchOp {
    /// Returns the path that it changes.
    pub fn path(&self) -> &str {
        match self {
            Self::Add { path, .. }
            | Self::Remove { path }
            | Self::Replace { path, .. }
            | Self::Move { path, .. }
            | Self::Copy { path, .. }
            | Self::Test { path, .. } => path,
        }
    }

    /// Returns the name of the operation.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Add { .. } => "add",
            Self::Remove { .. } => "remove",
            Self::Replace { .. } => "replace",
            Self::Move { .. } => "move",
            Self::Copy { .. } => "copy",
            Self::Test { .. } => "test",
        }
    }
}
