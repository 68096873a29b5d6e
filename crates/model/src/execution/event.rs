//! What is written down of a run while it happens. The state of a run is a fold over these.
//!
//! Every event carries the version of its form. A reader refuses a version that it does not know; a new variant or a
//! new optional field leaves the version as it is, and an old reader refuses the event and not the run before it.

use super::artifact::ArtifactRecord;
use super::call::{CallAnswer, CallIntent};
use super::egress::EgressDecision;
use super::failure::StepFailure;
use super::gate::{GateSubject, SignedApproval};
use super::set::ArtifactSet;
use super::sub_step::SubStep;
use crate::plan::Budget;
use deed_canon::{ContentHash, Envelope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the events of this crate.
pub const RUN_EVENT_VERSION: u32 = 1;

/// An event with its circumstances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// The version of its form.
    pub version: u32,
    /// When it was written, as RFC 3339. Order comes from the journal, and never from this.
    pub at: String,
    /// What happened.
    pub event: RunEvent,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RunEvent {
    /// A run was asked for.
    Submitted {
        /// What was asked for.
        run: Box<RunRequest>,
    },
    /// A process took the run up.
    Taken {
        /// How the process is called.
        by: String,
        /// Whether it was told to continue with a journal that lacks events which were there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        accepted_rollback: bool,
    },
    /// An attempt of a step began.
    StepStarted {
        /// The step.
        step: String,
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// What entered the step was looked at.
    Preflighted {
        /// The step.
        step: String,
        /// Which attempt.
        attempt: u32,
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
    /// A call was refused before anything of it was done. Its code may have gone on, and may have succeeded.
    CallRefused {
        /// The step.
        step: String,
        /// Why.
        failure: StepFailure,
    },
    /// A way out was asked for.
    Egress {
        /// The step.
        step: String,
        /// What was decided.
        decision: EgressDecision,
    },
    /// Code says how far it is.
    Progress {
        /// The step.
        step: String,
        /// How many are done.
        done: u64,
        /// Of how many.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
        /// A remark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A person is asked.
    GateOpened {
        /// What they are shown.
        subject: Box<GateSubject>,
        /// The hash of it.
        #[schemars(with = "String")]
        subject_hash: ContentHash,
    },
    /// A person has answered.
    GateDecided {
        /// The answer.
        signed: Box<SignedApproval>,
    },
    /// An approval was used. It cannot be used again.
    ApprovalUsed {
        /// Its name.
        approval_id: String,
        /// The step.
        step: String,
    },
    /// The question of a gate lapsed, or what it showed has changed: it has to be asked again.
    GateLapsed {
        /// The gate.
        gate_id: String,
        /// The hash of what was shown.
        #[schemars(with = "String")]
        subject_hash: ContentHash,
        /// Why.
        why: String,
    },
    /// An attempt was stopped until a person has answered; its calls are kept.
    StepParked {
        /// The step.
        step: String,
        /// Which attempt.
        attempt: u32,
        /// The gate it waits at.
        gate_id: String,
        /// What it spent so far, without its calls.
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
        /// Which attempt.
        attempt: u32,
        /// What it wrote.
        outputs: Vec<ArtifactRecord>,
        /// The sets that some of it belongs to.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sets: Vec<ArtifactSet>,
        /// What it spent.
        spent: Budget,
        /// The executions of its program.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sub_steps: Vec<SubStep>,
        /// What was found that did not fail it, and that somebody should look at.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<String>,
        /// The signed receipt.
        #[schemars(with = "Value")]
        receipt: Envelope,
    },
    /// An attempt failed.
    StepFailed {
        /// The step.
        step: String,
        /// Which attempt.
        attempt: u32,
        /// Why.
        failure: StepFailure,
        /// What it spent.
        spent: Budget,
        /// The executions of its program.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sub_steps: Vec<SubStep>,
        /// Whether it is tried again, and after how many milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again_after_ms: Option<u64>,
        /// The signed receipt, if it came so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Value>")]
        receipt: Option<Envelope>,
    },
    /// Somebody asked to end the run.
    CancelRequested {
        /// Who.
        by: String,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The run ended.
    Ended {
        /// How.
        outcome: RunOutcome,
        /// Why, if not well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The journal up to an earlier event was signed.
    Checkpointed {
        /// The signed checkpoint.
        #[schemars(with = "Value")]
        checkpoint: Envelope,
    },
    /// The end was signed.
    Sealed {
        /// The signed seal.
        #[schemars(with = "Value")]
        seal: Envelope,
    },
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Every step succeeded.
    Succeeded,
    /// A step failed for good.
    Failed,
    /// Somebody ended it.
    Cancelled,
}

impl RunOutcome {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What was asked for: frozen, and complete. Everything large is named by its content.
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
    /// Where its canonical bytes are kept.
    #[schemars(with = "String")]
    pub plan_blob: ContentHash,
    /// Where the code of each step is kept: plain SHA-256 of its text.
    #[schemars(with = "BTreeMap<String, String>")]
    pub code: BTreeMap<String, ContentHash>,
    /// Where the types that its contracts name are kept: plain SHA-256 of the canonical bytes of [`FrozenTypes`]. Runs of
    /// older versions have none and read the catalogue.
    ///
    /// [`FrozenTypes`]: super::types::FrozenTypes
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub types_blob: Option<ContentHash>,
    /// The files that the mission is given.
    pub inputs: Vec<ArtifactRecord>,
    /// What all of it may spend.
    pub grant: Budget,
    /// How it is run.
    pub options: RunOptions,
    /// Who asked.
    pub actor: String,
    /// The run that it continues from, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<ForkedFrom>,
}

/// How a run is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunOptions {
    /// Steps at once.
    #[schemars(range(min = 1, max = 256))]
    pub parallel: u32,
    /// Whether steps whose contract, code and inputs are unchanged are taken over from earlier runs.
    pub reuse: bool,
    /// Whether what no rule allows is let out and written down.
    pub learn_egress: bool,
    /// Seconds that a question at a gate holds.
    pub gate_seconds: u64,
    /// Names that were given an address for this run, in order. The addresses belong to the machine and are not kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolve: Vec<String>,
    /// Whether certificates besides the system's were given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extra_roots: bool,
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
        }
    }
}

/// The run that another continues from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkedFrom {
    /// The run.
    pub run_id: String,
    /// The step from which on everything is done anew.
    pub step: String,
    /// The first run, where that one was itself continued from another: calls have its keys, so that who does nothing
    /// twice for one `Idempotency-Key` does nothing twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
}
