//! The catalogue of intents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The intents that a pack handles.
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
    /// The class of intents that it belongs to.
    pub intent_class: String,
    /// The entry of the task catalogue.
    pub task_id: String,
    /// A description; has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
