//! What somebody asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A request to a governed agent. Predicates read it as `request`, with `request.context` for `input.context`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InvokeRequest {
    /// Unique id of the request.
    #[schemars(length(min = 1))]
    pub request_id: String,
    /// Whose request it is; must be the run's tenant where it is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// Pinned pack first, then overlays of it, each `id@x.y.z`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_pack_refs: Vec<String>,
    /// Where it came in, such as `chat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The speaker's locale, such as `en-IN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// What is asked.
    pub input: RequestInput,
    /// What was said before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<RequestSession>,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestInput {
    /// One of the pack's intents.
    #[schemars(length(min = 1))]
    pub intent: String,
    /// The words of the person who asks. They are data: nothing in them changes a manifest or a control, unless a rule of
    /// the pack reads them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Structured facts that rules read as `request.context`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub context: Map<String, Value>,
}

/// What was said before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestSession {
    /// Id of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Recent turns, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recent_turns: Vec<Turn>,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// Who spoke, such as `user` or `assistant`.
    #[schemars(length(min = 1))]
    pub role: String,
    /// What was said.
    pub text: String,
}
