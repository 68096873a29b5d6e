//! Failure handling: part of the contract, never improvised.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The handling of failures of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairPolicy {
    /// The part of a step that a retry may change.
    pub strategy: RepairStrategy,
    /// The number of retries.
    pub max_retries: u32,
    /// True if a retry writes to the same places.
    pub immutable_output_bindings: bool,
    /// The strategy for each class of failure.
    pub boundaries: BTreeMap<FailureClass, RepairBoundary>,
}

/// The part of a step that a retry may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepairStrategy {
    /// The code, but nothing of the contract.
    RetrySameContract,
    /// Nothing: an identical retry gives an identical result.
    None,
}

/// A class of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// Contracts are incompatible.
    ContractSchema,
    /// A declared input is missing.
    MissingArtifact,
    /// The sandbox crashed.
    SandboxRuntime,
    /// A governed tool call failed.
    ToolBridge,
    /// The evaluator rejected the output.
    SemanticVerdict,
    /// An output has the wrong format.
    OutputShape,
    /// The code attempted something that is not allowed.
    PolicyViolation,
    /// A budget is exhausted.
    BudgetExhaustion,
    /// An approval is missing.
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

/// The strategy for a class of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepairBoundary {
    /// The compiler refuses the plan.
    RejectPlan,
    /// The step does not begin.
    BlockStep,
    /// The same contract is retried, in a fresh sandbox.
    FreshContainer,
    /// The same contract is retried, with the failure as feedback.
    RetrySameContract,
    /// The failure is recorded, and the step continues.
    Report,
    /// The step fails, without a retry.
    HardStop,
    /// The step waits for an approval.
    Pause,
}
