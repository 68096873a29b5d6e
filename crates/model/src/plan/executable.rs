//! The parts of a compiled contract that planners and executors address: references to files, inputs and outputs by
//! slot, and the contract for the runtime.

use super::repair::RepairStrategy;
use crate::catalog::KindKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file of a plan, by a name that tells its origin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRef {
    /// `STEP:output:N:NAME` for the Nth file that a step writes, `mission:input:NAME` for an input of the mission.
    pub ref_id: String,
    /// The path in the workspace.
    pub path: String,
}

/// Inputs and outputs of a step by slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledStepContract {
    /// The inputs.
    pub inputs: Vec<CompiledInput>,
    /// The outputs.
    pub outputs: Vec<CompiledOutput>,
}

/// An input by slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledInput {
    /// The slot.
    pub slot: String,
    /// The file; `None` for an optional input without a producer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// True if the step requires it.
    pub required: bool,
}

/// An output by slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledOutput {
    /// The slot.
    pub slot: String,
    /// The file.
    pub path: String,
    /// The kind of file.
    pub kind_key: KindKey,
}

/// The contract of a step for the runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutableContract {
    /// The files that it reads.
    pub step_inputs: Vec<ArtifactRef>,
    /// The files that it writes.
    pub step_outputs: Vec<ArtifactRef>,
    /// The handling of failures.
    pub execution_policy: ExecutionPolicy,
}

/// The handling of failures of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionPolicy {
    /// The part of a step that a retry may change.
    pub repair_strategy: RepairStrategy,
    /// The number of retries.
    pub max_retries: u32,
}
