//! Run events: the journal of a run. The state of a run is a fold over them.
//!
//! Every event carries the version of its format. A reader refuses a version that it does not know. A new variant or a
//! new optional field leaves the version as it is; an old reader then refuses that event, but not the ones before it.

use super::artifact::ArtifactRecord;
use super::call::{CallAnswer, CallIntent};
use super::distilled::DistilledCandidate;
use super::egress::EgressDecision;
use super::failure::StepFailure;
use super::gate::{GateSubject, SignedApproval};
use super::model_call::{ModelCallAnswer, ModelCallIntent, ServedTranscript};
use super::set::ArtifactSet;
use super::sub_step::SubStep;
use crate::models::ModelAttempt;
use crate::plan::Budget;
use crate::{Classification, FrozenWorkspace, ProfileRef, ValidationRecord, ValidationStage};
use deed_canon::{ContentHash, Envelope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the event format of this crate.
pub const RUN_EVENT_VERSION: u32 = 1;

/// An event with its time and format version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// The version of the event's format.
    pub version: u32,
    /// The time of writing, in RFC 3339. The journal defines the order, never this.
    pub at: String,
    /// The event.
    pub event: RunEvent,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RunEvent {
    /// A run was submitted.
    Submitted {
        /// The request.
        run: Box<RunRequest>,
    },
    /// A process started to drive the run.
    Taken {
        /// The name of the process.
        by: String,
        /// True if it was told to continue although the journal lacks events that existed before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        accepted_rollback: bool,
        /// The transcript that answers the models of the run for this process, in place of providers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replay: Option<ServedTranscript>,
    },
    /// An attempt of a step started.
    StepStarted {
        /// The step.
        step: String,
        /// The attempt, counted from 1.
        attempt: u32,
    },
    /// The inputs of a step were inspected.
    Preflighted {
        /// The step.
        step: String,
        /// The attempt.
        attempt: u32,
        /// The verdicts of validation packs on the inputs; empty without a profile.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        validation: Vec<ValidationRecord>,
        /// The signed receipt.
        #[schemars(with = "Value")]
        receipt: Envelope,
    },
    /// A call is about to be made.
    CallBegan {
        /// The call.
        call: CallIntent,
    },
    /// A call was answered.
    CallEnded {
        /// The answer.
        answer: CallAnswer,
    },
    /// A call was refused before it had any effect. The code of the step may have handled the refusal and continued.
    CallRefused {
        /// The step.
        step: String,
        /// The reason.
        failure: StepFailure,
    },
    /// A model is about to be asked.
    ModelCallBegan {
        /// The call.
        call: Box<ModelCallIntent>,
    },
    /// A provider was asked once. Another attempt may follow.
    ModelAttempted {
        /// The step.
        step: String,
        /// The key of the call.
        #[schemars(with = "String")]
        key: ContentHash,
        /// The attempt.
        attempt: ModelAttempt,
    },
    /// A call of a model ended.
    ModelCallEnded {
        /// The end.
        answer: Box<ModelCallAnswer>,
    },
    /// An egress attempt was decided.
    Egress {
        /// The step.
        step: String,
        /// The decision.
        decision: EgressDecision,
    },
    /// The code of a step reported progress.
    Progress {
        /// The step.
        step: String,
        /// The number of finished items.
        done: u64,
        /// The total number of items.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
        /// The message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// An approval was requested.
    GateOpened {
        /// What the approver is shown.
        subject: Box<GateSubject>,
        /// Its hash.
        #[schemars(with = "String")]
        subject_hash: ContentHash,
    },
    /// An approver decided.
    GateDecided {
        /// The decision.
        signed: Box<SignedApproval>,
    },
    /// An approval was used. It cannot be used again.
    ApprovalUsed {
        /// Its id.
        approval_id: String,
        /// The step.
        step: String,
    },
    /// An approval request expired, or what it showed has changed: approval must be requested again.
    GateLapsed {
        /// The gate.
        gate_id: String,
        /// The hash of what the approver was shown.
        #[schemars(with = "String")]
        subject_hash: ContentHash,
        /// The reason.
        why: String,
    },
    /// An attempt was stopped until an approver decides; its calls are kept.
    StepParked {
        /// The step.
        step: String,
        /// The attempt.
        attempt: u32,
        /// The gate it waits at.
        gate_id: String,
        /// The budget that it spent so far, without its calls.
        #[serde(default)]
        spent: Budget,
        /// The execution that was stopped.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sub_steps: Vec<SubStep>,
    },
    /// A step succeeded.
    StepSucceeded {
        /// The step.
        step: String,
        /// The attempt.
        attempt: u32,
        /// The files that it wrote.
        outputs: Vec<ArtifactRecord>,
        /// The sets that some of those files belong to.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sets: Vec<ArtifactSet>,
        /// The budget that it spent.
        spent: Budget,
        /// The executions of its program.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sub_steps: Vec<SubStep>,
        /// Findings that did not fail the step, for review.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<String>,
        /// The verdicts of validation packs on the files; empty without a profile.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        validation: Vec<ValidationRecord>,
        /// The signed receipt.
        #[schemars(with = "Value")]
        receipt: Envelope,
    },
    /// An attempt failed.
    StepFailed {
        /// The step.
        step: String,
        /// The attempt.
        attempt: u32,
        /// The failure.
        failure: StepFailure,
        /// The budget that it spent.
        spent: Budget,
        /// The executions of its program.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sub_steps: Vec<SubStep>,
        /// The delay of the next attempt in milliseconds, if the step is retried.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again_after_ms: Option<u64>,
        /// The signed receipt, if the attempt got that far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Value>")]
        receipt: Option<Envelope>,
    },
    /// Memory candidates were distilled from the run that this journal is forked from. The candidates themselves stand in the
    /// reply.
    Distilled {
        /// The key of the call whose reply has the candidates.
        #[schemars(with = "String")]
        call: ContentHash,
        /// What became of each candidate, in the order of the reply.
        candidates: Vec<DistilledCandidate>,
    },
    /// The parts of the run that belong to no step were validated.
    Validated {
        /// The part of the run.
        stage: ValidationStage,
        /// The verdicts.
        validation: Vec<ValidationRecord>,
        /// The signed receipt.
        #[schemars(with = "Value")]
        receipt: Envelope,
    },
    /// A cancellation of the run was requested.
    CancelRequested {
        /// The actor.
        by: String,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The run ended.
    Ended {
        /// The outcome.
        outcome: RunOutcome,
        /// The failure, unless it succeeded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The journal up to an earlier event was signed.
    Checkpointed {
        /// The signed checkpoint.
        #[schemars(with = "Value")]
        checkpoint: Envelope,
    },
    /// The end of the run was signed.
    Sealed {
        /// The signed seal.
        #[schemars(with = "Value")]
        seal: Envelope,
    },
}

/// The outcome of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Every step succeeded.
    Succeeded,
    /// A step failed permanently.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl RunOutcome {
    /// Returns the outcome's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The place at which the author of a plan wrote the code of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodePlace {
    /// The file, from the folder of the plan.
    pub file: String,
    /// The line of the file on which the code begins, from 1.
    pub line: u32,
}

/// A run request: frozen and complete. Everything large is named by its content hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// The run.
    pub run_id: String,
    /// The plan's name.
    pub plan: String,
    /// The hash of the compiled plan.
    #[schemars(with = "String")]
    pub plan_hash: ContentHash,
    /// The hash of the blob with its canonical bytes.
    #[schemars(with = "String")]
    pub plan_blob: ContentHash,
    /// The blobs with the code of each step: plain SHA-256 of the text.
    #[schemars(with = "BTreeMap<String, String>")]
    pub code: BTreeMap<String, ContentHash>,
    /// The places at which the author wrote the code of each step, for tracebacks. Nothing is decided by it, and a run that
    /// differs only in it is the same run. Runs of older versions have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub code_places: BTreeMap<String, CodePlace>,
    /// The blob with the types that its contracts name: plain SHA-256 of the canonical bytes of [`FrozenTypes`]. Runs
    /// of older versions have none and read the catalogue.
    ///
    /// [`FrozenTypes`]: super::types::FrozenTypes
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub types_blob: Option<ContentHash>,
    /// The profile that governs it, if one was named. Runs of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<FrozenProfile>,
    /// The workspace that it belongs to, if it has one. Runs of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<FrozenWorkspace>,
    /// The blob with what calls of models read besides the profile, if the run may ask one: plain SHA-256 of the canonical
    /// bytes of [`FrozenModels`](super::frozen_models::FrozenModels).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub models_blob: Option<ContentHash>,
    /// The verdicts of validation packs on the plan, the compiled plan and the inputs. Runs without a profile have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<ValidationRecord>,
    /// The input files of the mission, as they were corrected.
    pub inputs: Vec<ArtifactRecord>,
    /// The budget of the whole run.
    pub grant: Budget,
    /// The options of the run.
    pub options: RunOptions,
    /// The actor that submitted it.
    pub actor: String,
    /// The run that it was forked from, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<ForkedFrom>,
}

/// The profile of a run, frozen when the run was submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrozenProfile {
    /// The profile.
    pub profile_ref: ProfileRef,
    /// The typed hash of its snapshot.
    #[schemars(with = "String")]
    pub snapshot_hash: ContentHash,
    /// The blob with the snapshot: plain SHA-256 of its canonical bytes.
    #[schemars(with = "String")]
    pub snapshot_blob: ContentHash,
}

/// The options of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunOptions {
    /// The number of steps that may run at the same time.
    #[schemars(range(min = 1, max = 256))]
    pub parallel: u32,
    /// True if steps whose contract, code and inputs are unchanged are reused from earlier runs.
    pub reuse: bool,
    /// True if requests that no egress rule allows are let through and recorded.
    pub learn_egress: bool,
    /// Seconds that an approval request stays open.
    pub gate_seconds: u64,
    /// Names that were given an address for this run, in order. The addresses belong to the machine and are not stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolve: Vec<String>,
    /// True if certificates besides the system's were supplied.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extra_roots: bool,
    /// The classification of the pack that governs the run, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<Classification>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            parallel: 4,
            reuse: false,
            learn_egress: false,
            gate_seconds: 7 * 24 * 3600,
            resolve: Vec::new(),
            extra_roots: false,
            classification: None,
        }
    }
}

/// The run that a fork was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkedFrom {
    /// The run.
    pub run_id: String,
    /// The first step that is executed again.
    pub step: String,
    /// The first run of the family, if that run was itself a fork: calls are keyed by it, so that a host that honours
    /// `Idempotency-Key` does nothing twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
}
