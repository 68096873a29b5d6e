//! Bindings: the model, the prompt and the parameters of a consumer.

use super::overrides::RuntimeOverrides;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The model, the prompt and the parameters of a consumer. What it leaves out comes from a lower level.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ConsumerBinding {
    /// The consumer, as a cross-check of the place where the binding stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consumer_key: Option<String>,
    /// The system prompt: `workspace.operator.planner.system@v1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_binding_ref: Option<String>,
    /// The model, `provider:model`; `none` for a consumer that asks no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_binding_ref: Option<String>,
    /// The parameters of its calls.
    #[serde(default, skip_serializing_if = "RuntimeOverrides::is_empty")]
    pub runtime_overrides: RuntimeOverrides,
}

/// The bindings of the phases in which a plan is made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlannerPhaseBindings {
    /// Drafts the plan: `operator_planner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_a: Option<ConsumerBinding>,
    /// Annotates its steps: `operator_intent_resolver`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_b: Option<ConsumerBinding>,
    /// An alias of `pass_d`, which is accepted and reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_c: Option<ConsumerBinding>,
    /// Chooses skills: `operator_skill_resolver`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass_d: Option<ConsumerBinding>,
    /// Repairs a rejected plan: `operator_planner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<ConsumerBinding>,
}

/// The bindings of the executor, by the backend that a step runs on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExecutorBindings {
    /// Code in the sandbox.
    #[serde(default, rename = "sandbox.session", skip_serializing_if = "Option::is_none")]
    pub sandbox_session: Option<ConsumerBinding>,
    /// Governed tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_loop: Option<ConsumerBinding>,
    /// Code in the isolate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_isolate: Option<ConsumerBinding>,
    /// Built-in transforms. They ask no model, so the model is `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<ConsumerBinding>,
}
