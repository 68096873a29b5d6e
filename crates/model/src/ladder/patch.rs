//! One operation of a JSON Patch (RFC 6902).

use super::patch_value::PatchValue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An operation; paths are JSON Pointers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
pub enum PatchOp {
    /// Puts a value where none is, or into a list.
    Add {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
    /// Takes a value away.
    Remove {
        /// Where.
        path: String,
    },
    /// Puts a value in the place of another.
    Replace {
        /// Where.
        path: String,
        /// What.
        value: PatchValue,
    },
    /// Takes a value to another place.
    Move {
        /// From where.
        from: String,
        /// Where to.
        path: String,
    },
    /// Copies a value to another place.
    Copy {
        /// From where.
        from: String,
        /// Where to.
        path: String,
    },
    /// Holds only if this value stands there.
    Test {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
}

impl PatchOp {
    /// Where it acts.
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

    /// The name of the operation.
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
