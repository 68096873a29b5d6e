//! The catalogue of intents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The intents that a pack has signed up to handle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct IntentLayer {
    /// One entry for each intent.
    #[schemars(length(min = 1))]
    pub catalog: Vec<IntentEntry>,
}

/// One intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct IntentEntry {
    /// Unique id, such as `support.refund`.
    #[schemars(length(min = 1))]
    pub id: String,
    /// Class of intents that it belongs to.
    pub intent_class: String,
    /// Row of the task catalogue.
    pub task_id: String,
    /// What it is for; changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
