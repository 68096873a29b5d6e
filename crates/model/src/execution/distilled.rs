//! What became of candidates that a model distilled from a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of a candidate that a model proposed to remember: proposed to the memory log, or refused before that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistilledCandidate {
    /// The memory that it was proposed as. The memory log decides what becomes of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_id: Option<String>,
    /// The reason why it was not proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}
