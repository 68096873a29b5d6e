//! The parts of a compiled contract by which planners and executors know it: references to files, inputs and outputs by
//! slot, and what the runtime is handed.

use super::repair::RepairStrategy;
use crate::catalog::KindKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file of a plan by a name that says where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRef {
    /// `STEP:output:N:NAME` for the Nth file that a step writes, `mission:input:NAME` for what the mission is given.
    pub ref_id: String,
    /// Where it is in the workspace.
    pub path: String,
}

/// Inputs and outputs of a step by slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledStepContract {
    /// What enters.
    pub inputs: Vec<CompiledInput>,
    /// What leaves.
    pub outputs: Vec<CompiledOutput>,
}

/// An input by slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompiledInput {
    /// The slot.
    pub slot: String,
    /// The file; none for an optional input that nothing gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Whether the step needs it.
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
    /// What kind of file it is.
    pub kind_key: KindKey,
}

/// What the runtime is handed of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutableContract {
    /// The files that it reads.
    pub step_inputs: Vec<ArtifactRef>,
    /// The files that it writes.
    pub step_outputs: Vec<ArtifactRef>,
    /// How failures are met.
    pub execution_policy: ExecutionPolicy,
}

/// How failures of a step are met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionPolicy {
    /// What a retry may change.
    pub repair_strategy: RepairStrategy,
    /// How many retries there are.
    pub max_retries: u32,
}
