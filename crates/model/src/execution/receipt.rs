//! What the system found out about a step, before and after its code ran: the predicates of signed statements.

use super::artifact::ArtifactRecord;
use super::failure::StepFailure;
use super::inspection::Inspection;
use super::isolation::SandboxReport;
use super::set::ArtifactSet;
use super::sub_step::SubStep;
use crate::plan::{Backend, Budget};
use deed_canon::{ChainHead, ContentHash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A file, as it was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileReceipt {
    /// Where it is in the workspace.
    pub path: String,
    /// The step that wrote it; none for what the mission is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_step: Option<String>,
    /// That it is there; a file that is not has an [`AbsentFile`].
    #[serde(default = "is_there")]
    pub exists: bool,
    /// What it is.
    pub found: Inspection,
}

/// Receipts that were made before `exists` speak of files that are there.
fn is_there() -> bool {
    true
}

/// A file that the contract promises and that the step did not write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsentFile {
    /// Where it should be in the workspace.
    pub path: String,
    /// Always false.
    pub exists: bool,
}

/// What entered a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreflightReceipt {
    /// The run, the step and its contract.
    pub of: ReceiptOf,
    /// The files that it reads.
    pub inputs: Vec<FileReceipt>,
    /// The sets that some of them belong to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<ArtifactSet>,
    /// What was checked of them.
    pub checks: Vec<CheckReceipt>,
}

/// What left a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PostflightReceipt {
    /// The run, the step and its contract.
    pub of: ReceiptOf,
    /// The files that it read, by content.
    pub inputs: Vec<ArtifactRecord>,
    /// How it ran.
    pub execution: ExecutionReceipt,
    /// The files that it wrote.
    pub outputs: Vec<FileReceipt>,
    /// The files that it should have written and did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<AbsentFile>,
    /// The sets that some of them belong to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<ArtifactSet>,
    /// What was checked of them.
    pub checks: Vec<CheckReceipt>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<StepFailure>,
}

/// What a receipt speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceiptOf {
    /// The run.
    pub run_id: String,
    /// The plan.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
    /// The step.
    #[serde(alias = "step")]
    pub step_id: String,
    /// Its contract.
    #[schemars(with = "String")]
    pub contract_hash: ContentHash,
    /// Its code, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub code_hash: Option<ContentHash>,
    /// Which attempt, from 1.
    pub attempt: u32,
}

/// How a step ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionReceipt {
    /// Where.
    pub backend: Backend,
    /// How it ended, in words.
    pub ended: String,
    /// What the sandbox was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxReport>,
    /// The interpreter or adapter, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Milliseconds on the wall.
    pub wall_ms: u64,
    /// The executions of its program; none where nothing was executed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sub_steps: Vec<SubStep>,
    /// What it spent.
    pub spent: Budget,
    /// Keys of the calls it made, in order.
    pub calls: Vec<String>,
    /// The run and the attempt whose outputs were taken over, if nothing was executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused: Option<ReusedFrom>,
    /// The end of what it printed.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub printed: Value,
}

/// Where outputs were taken over from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReusedFrom {
    /// The run.
    pub run_id: String,
    /// The step.
    pub step: String,
    /// Why that is the same.
    pub why: String,
}

/// Something that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckReceipt {
    /// What, such as `parses` or `entity_schema`.
    pub check: String,
    /// Of which file, if of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Whether it holds.
    pub holds: bool,
    /// Whether the step fails if it does not.
    pub blocks: bool,
    /// What was found, where it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

/// The end of a run: its outcome and the journal up to there, signed, so that nothing can be cut off unseen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSeal {
    /// The run.
    pub run_id: String,
    /// The plan.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
    /// How it ended.
    pub outcome: super::event::RunOutcome,
    /// The last event before this one.
    #[schemars(with = "Value")]
    pub journal: ChainHead,
    /// What it delivered.
    pub outputs: Vec<ArtifactRecord>,
}

/// The journal of a run up to an event, signed while the run is driven: what was written before cannot be changed
/// without the key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunCheckpoint {
    /// The run.
    pub run_id: String,
    /// The event that is covered together with all before it.
    #[schemars(with = "Value")]
    pub journal: ChainHead,
    /// How the run is about to end, on the last checkpoint of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<super::event::RunOutcome>,
}
