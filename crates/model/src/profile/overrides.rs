//! Runtime overrides: the parameters of model calls.

use super::parameter::ModelParameter;
use crate::models::ReasoningEffort;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The parameters of a model call. Those that its provider does not take are dropped, and the drop is recorded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RuntimeOverrides {
    /// The time limit of one call, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 86_400_000_u64))]
    pub timeout_ms: Option<u64>,
    /// The maximum number of tokens in a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000_000_u64))]
    pub max_tokens: Option<u64>,
    /// The sampling temperature, from 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 2.0))]
    pub temperature: Option<f64>,
    /// Nucleus sampling, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub top_p: Option<f64>,
    /// The seed of the provider's sampler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 4_294_967_295_u64))]
    pub seed: Option<u64>,
    /// The reasoning effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<ReasoningEffort>,
    /// True to let the model think before it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub use_extended_thinking: Option<bool>,
    /// The maximum number of tokens of thinking; less than `max_tokens`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000_000_u64))]
    pub thinking_budget_tokens: Option<u64>,
    /// True to use the reasoning of the Responses API.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub use_responses_reasoning: Option<bool>,
}

impl RuntimeOverrides {
    /// Returns true if no parameter is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the parameters that are set, in their fixed order.
    pub fn parts(&self) -> Vec<(ModelParameter, Value)> {
        ModelParameter::ALL.into_iter().filter_map(|name| Some((name, self.get(name)?))).collect()
    }

    /// Returns the value of a parameter, if it is set.
    pub fn get(&self, parameter: ModelParameter) -> Option<Value> {
        match parameter {
            ModelParameter::TimeoutMs => self.timeout_ms.map(Value::from),
            ModelParameter::MaxTokens => self.max_tokens.map(Value::from),
            ModelParameter::Temperature => self.temperature.and_then(written),
            ModelParameter::TopP => self.top_p.and_then(written),
            ModelParameter::Seed => self.seed.map(Value::from),
            ModelParameter::ReasoningEffort => self.reasoning_effort.map(|effort| Value::from(effort.as_str())),
            ModelParameter::UseExtendedThinking => self.use_extended_thinking.map(Value::from),
            ModelParameter::ThinkingBudgetTokens => self.thinking_budget_tokens.map(Value::from),
            ModelParameter::UseResponsesReasoning => self.use_responses_reasoning.map(Value::from),
        }
    }

    /// Reads parameters from values by name.
    ///
    /// # Errors
    /// A value has another type than its parameter.
    pub fn of_parts(parts: &[(ModelParameter, Value)]) -> Result<Self, serde_json::Error> {
        let members: Map<String, Value> =
            parts.iter().map(|(name, value)| (name.as_str().to_owned(), value.clone())).collect();
        serde_json::from_value(Value::Object(members))
    }
}

/// Returns a number as it is written: 0 and not 0.0, so that what was read back is the same.
fn written(number: f64) -> Option<Value> {
    deed_canon::number_from_f64(number).ok().map(Value::Number)
}
