//! Parameters of model calls, by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A parameter of a model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelParameter {
    /// The time limit of one call.
    TimeoutMs,
    /// The maximum number of tokens in a reply.
    MaxTokens,
    /// The sampling temperature.
    Temperature,
    /// Nucleus sampling.
    TopP,
    /// The seed of the sampler.
    Seed,
    /// The reasoning effort.
    ReasoningEffort,
    /// Thinking before the answer.
    UseExtendedThinking,
    /// The maximum number of tokens of thinking.
    ThinkingBudgetTokens,
    /// The reasoning of the Responses API.
    UseResponsesReasoning,
}

impl ModelParameter {
    /// All parameters, in a fixed order.
    pub const ALL: [Self; 9] = [
        Self::TimeoutMs,
        Self::MaxTokens,
        Self::Temperature,
        Self::TopP,
        Self::Seed,
        Self::ReasoningEffort,
        Self::UseExtendedThinking,
        Self::ThinkingBudgetTokens,
        Self::UseResponsesReasoning,
    ];

    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TimeoutMs => "timeout_ms",
            Self::MaxTokens => "max_tokens",
            Self::Temperature => "temperature",
            Self::TopP => "top_p",
            Self::Seed => "seed",
            Self::ReasoningEffort => "reasoning_effort",
            Self::UseExtendedThinking => "use_extended_thinking",
            Self::ThinkingBudgetTokens => "thinking_budget_tokens",
            Self::UseResponsesReasoning => "use_responses_reasoning",
        }
    }

    /// Returns true for the parameters that a provider's master switch of reasoning governs.
    pub fn is_reasoning(self) -> bool {
        match self {
            Self::ReasoningEffort
            | Self::UseExtendedThinking
            | Self::ThinkingBudgetTokens
            | Self::UseResponsesReasoning => true,
            Self::TimeoutMs | Self::MaxTokens | Self::Temperature | Self::TopP | Self::Seed => false,
        }
    }
}

impl fmt::Display for ModelParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A parameter that is not sent, and the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnsentParameter {
    /// The parameter.
    pub parameter: ModelParameter,
    /// Its value.
    pub value: Value,
    /// The reason.
    pub reason: String,
}
