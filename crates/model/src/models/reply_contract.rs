//! The form that a reply must have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The form that a reply must have.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ReplyContract {
    /// Text.
    #[default]
    Text,
    /// Any JSON document.
    Json,
    /// A JSON document under a schema.
    JsonSchema {
        /// A name for the schema, which some providers show to the model.
        #[schemars(regex(pattern = r"^[a-zA-Z0-9_-]{1,64}$"))]
        name: String,
        /// The schema.
        schema: Value,
    },
}
