//! Master switches of reasoning.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Master switches of reasoning, by provider. A switch that any level turns off stays off.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReasoningSwitches {
    /// Extended thinking of Anthropic models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anthropic_thinking_enabled: Option<bool>,
    /// Reasoning of OpenAI models, Azure included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openai_reasoning_enabled: Option<bool>,
    /// Thinking of Gemini models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gemini_thinking_enabled: Option<bool>,
    /// Reasoning of models behind OpenAI-compatible endpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatible_reasoning_enabled: Option<bool>,
}

impl ReasoningSwitches {
    /// Returns the switches by name.
    pub fn parts(&self) -> [(&'static str, Option<bool>); 4] {
        [
            ("anthropic_thinking_enabled", self.anthropic_thinking_enabled),
            ("openai_reasoning_enabled", self.openai_reasoning_enabled),
            ("gemini_thinking_enabled", self.gemini_thinking_enabled),
            ("compatible_reasoning_enabled", self.compatible_reasoning_enabled),
        ]
    }

    /// Returns true if no switch is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
