//! What happens when a step fails. It is part of the contract, and not improvised.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How failures of a step are met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairPolicy {
    /// What a retry may change.
    pub strategy: RepairStrategy,
    /// How many retries there are.
    pub max_retries: u32,
    /// Whether a retry writes to the same places.
    pub immutable_output_bindings: bool,
    /// Where each class of failure ends.
    pub boundaries: BTreeMap<FailureClass, RepairBoundary>,
}

/// What a retry may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepairStrategy {
    /// The code, and nothing of the contract.
    RetrySameContract,
    /// Nothing: the same again gives the same.
    None,
}

/// Classes of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// Contracts do not fit together.
    ContractSchema,
    /// A declared input is not there.
    MissingArtifact,
    /// The container crashed or the session died.
    SandboxRuntime,
    /// A governed tool call failed.
    ToolBridge,
    /// The evaluator said no.
    SemanticVerdict,
    /// An output has the wrong form.
    OutputShape,
    /// Something that is not allowed was tried.
    PolicyViolation,
    /// A budget is spent.
    BudgetExhaustion,
    /// A person has not approved yet.
    HumanGatePending,
}

impl FailureClass {
    /// All classes.
    pub const ALL: [Self; 9] = [
        Self::ContractSchema,
        Self::MissingArtifact,
        Self::SandboxRuntime,
        Self::ToolBridge,
        Self::SemanticVerdict,
        Self::OutputShape,
        Self::PolicyViolation,
        Self::BudgetExhaustion,
        Self::HumanGatePending,
    ];
}

/// Where a failure ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepairBoundary {
    /// The compiler refuses the plan.
    RejectPlan,
    /// The step does not begin.
    BlockStep,
    /// The same contract once more, in a fresh container.
    FreshContainer,
    /// The same contract once more, told what went wrong.
    RetrySameContract,
    /// It is written down, and the step goes on.
    Report,
    /// The step ends, and is not tried again.
    HardStop,
    /// The step waits for a person.
    Pause,
}
