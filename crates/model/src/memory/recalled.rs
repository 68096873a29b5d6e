//! Memory that the store recalled.

use crate::MemoryItem;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A memory that the store recalled, with the event that promoted it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecalledMemory {
    /// The memory.
    pub item: MemoryItem,
    /// The hash of the event that promoted it, in the memory log.
    #[schemars(with = "String")]
    pub promotion: ContentHash,
}

/// The origin of a memory of a compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum MemoryOrigin {
    /// A list that the caller gave: its promotion is the caller's word.
    File,
    /// The memory log, which has its promotion as an event.
    Store {
        /// The hash of that event.
        #[schemars(with = "String")]
        promotion: ContentHash,
    },
}

impl MemoryOrigin {
    /// Returns the origin's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Store { .. } => "store",
        }
    }
}
