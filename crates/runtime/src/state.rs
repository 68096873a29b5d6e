//! The state of a run: a pure fold over its events, in the order of the journal, to the state of every step, gate and
//! call.

mod fold;

use crate::models::BESIDE_CALLS;
use deed_canon::ContentHash;
use deed_model::{
    ArtifactRecord, ArtifactSet, BridgeErrorKind, Budget, CallAnswer, CallIntent, CallOutcome, DistilledCandidate,
    GateDecision, GateSubject, ModelCallAnswer, ModelCallIntent, RunEvent, RunOutcome, RunRequest, ServedTranscript,
    SignedApproval, StepFailure, SubStep, ValidationRecord, ValidationStage, in_set, is_set,
};
use std::collections::{BTreeMap, BTreeSet};

/// The state of a run.
#[derive(Debug, Clone, Default)]
pub struct RunState {
    /// The request.
    pub request: Option<RunRequest>,
    /// Its steps, as far as anything is known of them.
    pub steps: BTreeMap<String, StepState>,
    /// Files of the workspace by path: given to the mission, or written by a step that succeeded.
    artifacts: BTreeMap<String, (ArtifactRecord, Option<String>)>,
    /// Sets of files that steps wrote, by path.
    sets: BTreeMap<String, ArtifactSet>,
    /// Gates that were asked at, by name.
    pub gates: BTreeMap<String, GateState>,
    /// Approvals that cannot be used again.
    pub used: BTreeSet<String>,
    /// The spending of attempts, without their calls.
    pub spent: Budget,
    /// The request to end it, if there is one.
    pub cancelled: Option<Cancelled>,
    /// The outcome.
    pub ended: Option<RunOutcome>,
    /// The reason, if it did not succeed.
    pub why: Option<String>,
    /// True if its end is signed.
    pub sealed: bool,
    /// The parts of the run beside its steps whose validation is recorded.
    pub validated: BTreeSet<ValidationStage>,
    /// The verdicts of validation packs so far.
    pub validation: Vec<ValidationRecord>,
    /// The transcripts that answered its models in place of providers, each once.
    pub replays: Vec<ServedTranscript>,
    /// What became of the candidates that were distilled; none before.
    pub distilled: Option<(ContentHash, Vec<DistilledCandidate>)>,
    /// Processes that continued with a journal that lacked events, as `--accept-rollback` allows.
    pub accepted_rollbacks: Vec<String>,
}

/// A request to end a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancelled {
    /// The person who asked.
    pub by: String,
    /// The reason, in their words.
    pub why: Option<String>,
}

/// The state of a step.
#[derive(Debug, Clone, Default)]
pub struct StepState {
    /// The status.
    pub status: StepStatus,
    /// The latest attempt; 0 before the first.
    pub attempt: u32,
    /// Calls that it made, by key.
    pub calls: BTreeMap<String, CallState>,
    /// Keys in the order of the calls.
    pub order: Vec<String>,
    /// Calls of models that it made, in order.
    pub models: Vec<ModelCallState>,
    /// The outputs, once it has succeeded.
    pub outputs: Vec<ArtifactRecord>,
    /// Executions of its program, of all attempts; a process that crashed left none.
    pub sub_steps: Vec<SubStep>,
    /// Wall-clock seconds that the latest attempt has paid for.
    pub paid_seconds: u64,
    /// Findings of the latest attempt that did not fail it, each once; the first ones.
    pub remarks: Vec<String>,
    /// The last progress report.
    pub progress: Option<(u64, Option<u64>, Option<String>)>,
}

/// The number of remarks that are kept for a step; all are in the journal.
pub const MOST_REMARKS: usize = 100;

impl StepState {
    fn remark(&mut self, remark: String) {
        if self.remarks.len() < MOST_REMARKS && !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }
}

/// The status of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum StepStatus {
    /// It has not begun.
    #[default]
    Pending,
    /// An attempt is under way, or was when its process crashed.
    Running,
    /// Its code is parked at a gate.
    Parked {
        /// The gate.
        gate_id: String,
    },
    /// It failed, and is retried.
    Again {
        /// After so many milliseconds.
        after_ms: u64,
        /// The failure.
        failure: StepFailure,
    },
    /// It succeeded.
    Succeeded,
    /// It failed and is not retried.
    Failed {
        /// The reason.
        failure: StepFailure,
    },
}

/// A call and its outcome.
#[derive(Debug, Clone)]
pub struct CallState {
    /// The call as it was about to be made.
    pub intent: CallIntent,
    /// The answer, if it is known.
    pub answer: Option<CallAnswer>,
    /// The attempt that made it.
    pub attempt: u32,
}

impl CallState {
    /// Returns whether it sent something that changes something. The tools say so by their name; of what goes through the proxy
    /// the method does.
    pub fn changes_something(&self) -> bool {
        crate::checkpoint::changes_something(&self.intent)
    }

    /// Returns whether it was answered with what another run had been answered: nothing was sent for it.
    pub fn was_served(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.proof.get(SERVED_FROM).is_some())
    }

    /// Returns whether an attempt makes the call instead of being served what came of it. Within the attempt that made it, code
    /// that is run again gets the recorded answer; a later attempt retries what failed, but never what may have happened.
    pub fn is_made_again(&self, attempt: u32) -> bool {
        match self.answer.as_ref().map(|answer| &answer.outcome) {
            None => self.intent.repeatable,
            Some(CallOutcome::Failed { kind, .. }) => {
                attempt != self.attempt && *kind != BridgeErrorKind::OutcomeUnknown
            }
            Some(CallOutcome::Result { .. } | CallOutcome::Stored { .. }) => false,
        }
    }
}

/// A call of a model and its end.
#[derive(Debug, Clone)]
pub struct ModelCallState {
    /// The call as it was about to be made.
    pub intent: ModelCallIntent,
    /// The number of times that it was begun.
    pub begun: u32,
    /// Its end, if it is known.
    pub answer: Option<ModelCallAnswer>,
}

impl ModelCallState {
    /// Returns what it spent; of one without an end, everything that is reserved for it.
    pub fn spent(&self) -> Budget {
        match &self.answer {
            Some(answer) => answer.spent,
            None => self.intent.reserved.times(u64::from(self.begun)),
        }
    }
}

impl StepState {
    /// Returns what calls of models spent for a governed call that has no answer yet. Its answer includes it.
    pub(crate) fn unanswered(&self, call: &CallState) -> Budget {
        let own =
            |model: &&ModelCallState| model.intent.call == call.intent.key && model.intent.attempt == call.attempt;
        let models = self.models.iter().filter(|_| call.answer.is_none()).filter(own);
        models.fold(Budget::default(), |sum, model| sum.plus(model.spent()))
    }

    /// Returns what models cost that were asked beside the calls of the step, in one attempt or in all.
    pub(crate) fn beside_calls(&self, attempt: Option<u32>) -> Budget {
        let beside = |model: &&ModelCallState| {
            model.intent.call.starts_with(BESIDE_CALLS) && attempt.is_none_or(|own| own == model.intent.attempt)
        };
        self.models.iter().filter(beside).fold(Budget::default(), |sum, model| sum.plus(model.spent()))
    }
}

/// The member of a proof that names the run whose answer was served.
pub(crate) const SERVED_FROM: &str = "served_from";

/// A gate and what was decided at it.
#[derive(Debug, Clone)]
pub struct GateState {
    /// The subject that the approver is shown.
    pub subject: GateSubject,
    /// The hash of it.
    pub subject_hash: ContentHash,
    /// The decision, if there is one.
    pub decided: Option<SignedApproval>,
}

impl GateState {
    /// Returns whether an approver still has to decide.
    pub fn is_open(&self) -> bool {
        self.decided.is_none()
    }

    /// Returns whether an approver rejected it.
    pub fn is_rejected(&self) -> bool {
        self.decided.as_ref().is_some_and(|signed| signed.approval.decision == GateDecision::Rejected)
    }
}

impl RunState {
    /// The state after some events.
    pub fn of<'e>(events: impl IntoIterator<Item = &'e RunEvent>) -> Self {
        let mut state = Self::default();
        events.into_iter().for_each(|event| state.apply(event));
        state
    }

    /// A step, as far as anything is known of it.
    pub fn step(&self, id: &str) -> Option<&StepState> {
        self.steps.get(id)
    }

    /// The gates that wait for a decision; none, once the run has ended.
    pub fn open_gates(&self) -> impl Iterator<Item = &GateState> {
        self.gates.values().filter(|gate| self.ended.is_none() && gate.is_open())
    }

    /// Returns whether a step has succeeded.
    pub fn has_succeeded(&self, id: &str) -> bool {
        self.step(id).is_some_and(|step| step.status == StepStatus::Succeeded)
    }

    /// Returns a file of the workspace, and the step that wrote it; none for a file that the mission was given.
    pub fn artifact(&self, path: &str) -> Option<(&ArtifactRecord, Option<&str>)> {
        self.artifacts.get(path).map(|(artifact, step)| (artifact, step.as_deref()))
    }

    /// The files that a path of a contract means: one, or all of a set in order of their paths.
    pub fn files_at<'s>(&'s self, path: &'s str) -> impl Iterator<Item = (&'s ArtifactRecord, Option<&'s str>)> {
        let all = self.artifacts.iter().filter(move |_| is_set(path)).filter(move |(known, _)| in_set(path, known));
        let one = self.artifacts.get_key_value(path).filter(move |_| !is_set(path));
        one.into_iter().chain(all).map(|(_, (artifact, step))| (artifact, step.as_deref()))
    }

    /// The sets that steps wrote, by path.
    pub fn sets(&self) -> impl Iterator<Item = &ArtifactSet> {
        self.sets.values()
    }

    /// All files of the workspace in order of their paths, and the steps that wrote them.
    pub fn artifacts(&self) -> impl Iterator<Item = (&ArtifactRecord, Option<&str>)> {
        self.artifacts.values().map(|(record, step)| (record, step.as_deref()))
    }

    /// Returns the spending so far: attempts, calls that ended, and calls whose outcome is unknown. A call that a crash cut
    /// off and that is made again is paid for then.
    pub fn total_spent(&self) -> Budget {
        let calls = self.steps.values().flat_map(|step| step.calls.values().map(move |call| (step, call)));
        let beside = self.steps.values().fold(self.spent, |sum, step| sum.plus(step.beside_calls(None)));
        calls.fold(beside, |sum, (step, call)| match &call.answer {
            Some(answer) => sum.plus(answer.spent),
            None if call.intent.repeatable => sum.plus(step.unanswered(call)),
            None => sum.plus(call.intent.reserved),
        })
    }

    /// Returns the number of calls of models with a value.
    pub(crate) fn model_calls_of(&self, value: &ContentHash) -> u64 {
        let models = self.steps.values().flat_map(|step| &step.models);
        models.filter(|model| model.intent.value == *value).count() as u64
    }

    fn at(&mut self, step: &str) -> &mut StepState {
        if !self.steps.contains_key(step) {
            self.steps.insert(step.to_owned(), StepState::default());
        }
        self.steps.entry(step.to_owned()).or_default()
    }
}
