//! Consumers of models: every part of Deed that may ask one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A consumer of models. Profiles bind each to a model, a prompt and parameters; costs and metrics are counted by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum ModelConsumer {
    /// Routes an objective to a capsule, a question or a new plan.
    #[serde(rename = "operator_router")]
    Router,
    /// Rewrites an objective in a normal form.
    #[serde(rename = "operator_intent_normalizer")]
    IntentNormalizer,
    /// Drafts plans (`pass_a`) and repairs rejected ones (`repair`).
    #[serde(rename = "operator_planner")]
    Planner,
    /// Annotates steps with domain and workflow packs (`pass_b`).
    #[serde(rename = "operator_intent_resolver")]
    IntentResolver,
    /// Chooses skills among those discovered (`pass_d`).
    #[serde(rename = "operator_skill_resolver")]
    SkillResolver,
    /// Writes the code of a step that runs in a sandbox.
    #[serde(rename = "operator_executor.sandbox_session")]
    ExecutorSandboxSession,
    /// Makes the governed tool calls of a step.
    #[serde(rename = "operator_executor.tool_loop")]
    ExecutorToolLoop,
    /// Writes the code of a step that runs in the isolate.
    #[serde(rename = "operator_executor.edge_isolate")]
    ExecutorEdgeIsolate,
    /// Runs built-in transforms. It asks no model; its binding is `none`.
    #[serde(rename = "operator_executor.native")]
    ExecutorNative,
    /// Judges artifacts by a rubric.
    #[serde(rename = "operator_evaluator")]
    Evaluator,
    /// Audits finished steps as a second model.
    #[serde(rename = "operator_auditor")]
    Auditor,
    /// Proposes values in the ladder (rungs L2 and L6).
    #[serde(rename = "operator_corrector")]
    Corrector,
    /// Turns finished runs into memory candidates.
    #[serde(rename = "operator_distiller")]
    Distiller,
    /// Writes compilation briefs and run briefs.
    #[serde(rename = "operator_brief")]
    Brief,
}

impl ModelConsumer {
    /// All consumers, in the order in which a run meets them.
    pub const ALL: [Self; 14] = [
        Self::Router,
        Self::IntentNormalizer,
        Self::Planner,
        Self::IntentResolver,
        Self::SkillResolver,
        Self::ExecutorSandboxSession,
        Self::ExecutorToolLoop,
        Self::ExecutorEdgeIsolate,
        Self::ExecutorNative,
        Self::Evaluator,
        Self::Auditor,
        Self::Corrector,
        Self::Distiller,
        Self::Brief,
    ];

    /// Returns the consumer's key in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Router => "operator_router",
            Self::IntentNormalizer => "operator_intent_normalizer",
            Self::Planner => "operator_planner",
            Self::IntentResolver => "operator_intent_resolver",
            Self::SkillResolver => "operator_skill_resolver",
            Self::ExecutorSandboxSession => "operator_executor.sandbox_session",
            Self::ExecutorToolLoop => "operator_executor.tool_loop",
            Self::ExecutorEdgeIsolate => "operator_executor.edge_isolate",
            Self::ExecutorNative => "operator_executor.native",
            Self::Evaluator => "operator_evaluator",
            Self::Auditor => "operator_auditor",
            Self::Corrector => "operator_corrector",
            Self::Distiller => "operator_distiller",
            Self::Brief => "operator_brief",
        }
    }

    /// Returns true for consumers that may ask a model.
    pub fn asks_a_model(self) -> bool {
        self != Self::ExecutorNative
    }
}

impl fmt::Display for ModelConsumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ModelConsumer {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|consumer| consumer.as_str() == text).ok_or(())
    }
}
