//! The request that a context is compiled for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A request to a governed agent. Predicates read it as `request`, with `request.context` for `input.context`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InvokeRequest {
    /// Unique id of the request.
    #[schemars(length(min = 1))]
    pub request_id: String,
    /// The tenant of the request; must be the run's tenant if it is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// Pinned pack first, then overlays of it, each `id@x.y.z`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_pack_refs: Vec<String>,
    /// The channel that it came in through, such as `chat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The user's locale, such as `en-IN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// The input: intent, message and facts.
    pub input: RequestInput,
    /// The session that the request belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<RequestSession>,
}

/// The input of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestInput {
    /// One of the pack's intents.
    #[schemars(length(min = 1))]
    pub intent: String,
    /// The user's message. It is data: nothing in it changes a manifest or a control, unless a rule of the pack reads
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Structured facts that rules read as `request.context`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub context: Map<String, Value>,
}

/// The session that a request belongs to.
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
    /// The speaker's role, such as `user` or `assistant`.
    #[schemars(length(min = 1))]
    pub role: String,
    /// The text of the turn.
    pub text: String,
}
