//! Receipts: what the system found out about a step, before and after its code ran. The predicates of signed
//! statements.

use super::artifact::ArtifactRecord;
use super::check::CheckName;
use super::failure::StepFailure;
use super::inspection::Inspection;
use super::isolation::SandboxReport;
use super::model_call::ServedTranscript;
use super::set::ArtifactSet;
use super::sub_step::SubStep;
use crate::SealedWorkspace;
use crate::plan::{Backend, Budget};
use crate::validation::ValidationRecord;
use deed_canon::{ChainHead, ContentHash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An inspected file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileReceipt {
    /// The path in the workspace.
    pub path: String,
    /// The step that wrote it; `None` for an input of the mission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_step: Option<String>,
    /// Always true; a missing file has an [`AbsentFile`].
    #[serde(default = "is_there")]
    pub exists: bool,
    /// The inspection.
    pub found: Inspection,
}

/// Older receipts have no `exists`, and list only files that exist.
fn is_there() -> bool {
    true
}

/// A file that the contract requires and that the step did not write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsentFile {
    /// The expected path in the workspace.
    pub path: String,
    /// Always false.
    pub exists: bool,
}

/// A preflight receipt: the inputs of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreflightReceipt {
    /// The run, the step and its contract.
    pub of: ReceiptSubject,
    /// The files that it reads.
    pub inputs: Vec<FileReceipt>,
    /// The sets that some of those files belong to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<ArtifactSet>,
    /// The checks of the inputs.
    pub checks: Vec<CheckReceipt>,
    /// The verdicts of validation packs on the inputs; empty without a profile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<ValidationRecord>,
}

/// A postflight receipt: the outputs of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PostflightReceipt {
    /// The run, the step and its contract.
    pub of: ReceiptSubject,
    /// The files that it read, by content.
    pub inputs: Vec<ArtifactRecord>,
    /// The execution.
    pub execution: ExecutionReceipt,
    /// The files that it wrote.
    pub outputs: Vec<FileReceipt>,
    /// The files that it should have written and did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<AbsentFile>,
    /// The sets that some of those files belong to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<ArtifactSet>,
    /// The checks of the outputs.
    pub checks: Vec<CheckReceipt>,
    /// The verdicts of validation packs on the outputs, as the step wrote them; empty without a profile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<ValidationRecord>,
    /// The failure, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<StepFailure>,
}

/// The subject of a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReceiptSubject {
    /// The run.
    pub run_id: String,
    /// The plan.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
    /// The step.
    #[serde(alias = "step")]
    pub step_id: String,
    /// Its frozen contract: the compiled contract under the profile of the run. Without `snapshot_hash` the compiled
    /// contract alone.
    #[schemars(with = "String")]
    pub contract_hash: ContentHash,
    /// The compiled contract; left out where `contract_hash` is it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub spec_hash: Option<ContentHash>,
    /// The frozen snapshot of the profile that governs the run; left out in runs without one, and in receipts from before
    /// it was part of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub snapshot_hash: Option<ContentHash>,
    /// The hash of its code, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub code_hash: Option<ContentHash>,
    /// The attempt, counted from 1.
    pub attempt: u32,
}

impl ReceiptSubject {
    /// Returns the hash of the compiled contract, which is the same under every profile.
    pub fn compiled(&self) -> ContentHash {
        self.spec_hash.unwrap_or(self.contract_hash)
    }
}

/// The execution of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecutionReceipt {
    /// The backend.
    pub backend: Backend,
    /// The end of the execution, in words.
    pub ended: String,
    /// The sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxReport>,
    /// The interpreter or adapter, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Wall-clock milliseconds.
    pub wall_ms: u64,
    /// The executions of its program; empty if nothing was executed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sub_steps: Vec<SubStep>,
    /// The budget that it spent.
    pub spent: Budget,
    /// Keys of the calls it made, in order.
    pub calls: Vec<String>,
    /// The run and attempt whose outputs were reused, if nothing was executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused: Option<ReuseSource>,
    /// The end of its output.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub printed: Value,
}

/// The source of reused outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReuseSource {
    /// The run.
    pub run_id: String,
    /// The step.
    pub step: String,
    /// The reason why they can be reused.
    pub why: String,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckReceipt {
    /// What, such as `parses` or `entity_schema`.
    pub check: CheckName,
    /// Of which file, if of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// True if it holds.
    pub holds: bool,
    /// True if the step fails when it does not hold.
    pub blocks: bool,
    /// The finding, if it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

/// The seal of a run: its outcome and the journal up to there, signed, so that nothing can be cut off unnoticed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSeal {
    /// The run.
    pub run_id: String,
    /// The plan.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
    /// The outcome.
    pub outcome: super::event::RunOutcome,
    /// The last event before the seal.
    #[schemars(with = "Value")]
    pub journal: ChainHead,
    /// The files that it delivered.
    pub outputs: Vec<ArtifactRecord>,
    /// The workspace that it belongs to, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<SealedWorkspace>,
    /// The frozen snapshot of the profile that governed it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub snapshot_hash: Option<ContentHash>,
    /// The transcripts that answered its models in place of providers, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replays: Vec<ServedTranscript>,
}

/// A checkpoint: the journal of a run up to an event, signed while the run is driven. Events before it cannot be
/// changed without the key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunCheckpoint {
    /// The run.
    pub run_id: String,
    /// The last event that it covers, together with all before it.
    #[schemars(with = "Value")]
    pub journal: ChainHead,
    /// The outcome of the run, on its last checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<super::event::RunOutcome>,
}
