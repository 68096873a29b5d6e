//! A reply of a model.

use crate::{DroppedParameter, MessagePart, ModelUsage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reply of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelReply {
    /// The model that answered, as the provider names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The content, in order.
    pub parts: Vec<MessagePart>,
    /// The reason why the reply ends.
    pub stop: StopReason,
    /// The tokens; none if the provider does not report them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<ModelUsage>,
    /// The result of checking the content against the output contract.
    #[serde(default)]
    pub output: OutputCheck,
    /// The parameters that were not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<DroppedParameter>,
    /// Notes on what was unusual.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<ReplyNote>,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl ModelReply {
    /// Returns the text of the reply, without thinking.
    pub fn text(&self) -> String {
        self.parts
            .iter()
            .filter_map(|part| if let MessagePart::Text { text } = part { Some(text.as_str()) } else { None })
            .collect()
    }
}

/// The reason why a reply ends. Each is a result and not an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model was done, or wrote a text that ends the reply.
    Ended,
    /// It calls tools.
    ToolCalls,
    /// The maximum number of tokens was reached.
    Length,
    /// The model refused.
    Refusal,
    /// A filter of the provider stopped it.
    ContentFilter,
}

impl StopReason {
    /// Returns the reason's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::Refusal => "refusal",
            Self::ContentFilter => "content_filter",
        }
    }
}

/// The result of checking a reply against its output contract.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum OutputCheck {
    /// There was nothing to check: text was asked for, or the reply calls tools or refuses.
    #[default]
    Unchecked,
    /// It is valid.
    Valid,
    /// It ends before its JSON does, since the maximum number of tokens was reached.
    Cut,
    /// It is not JSON.
    NotJson,
    /// It violates the schema, whatever the provider promised.
    Violates {
        /// The first violations, each with its place in the reply.
        violations: Vec<String>,
    },
}

/// Something unusual about a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ReplyNote {
    /// The provider reported no usage; the cost is the reservation.
    UsageMissing,
    /// The model wrote its tool calls as JSON in the text, and they were read from there.
    ToolCallsInText {
        /// The number of calls.
        calls: usize,
    },
    /// The model called a tool that it was not offered.
    UnknownTool {
        /// The tool.
        name: String,
    },
    /// The model had to call a tool, and called none.
    ToolChoiceIgnored,
    /// The provider sent a kind of content that has no place in a reply.
    ContentDropped {
        /// Its type.
        content: String,
    },
    /// The provider gave a call no id; it was numbered.
    ToolCallNumbered {
        /// The id that it was given.
        id: String,
    },
}
