//! The fold: what each event changes in the state of a run, one method for each event that changes more than a field.

use super::{CallState, Cancelled, GateState, MOST_REMARKS, ModelCallState, RunState, StepState, StepStatus};
use crate::bridge::denial;
use deed_canon::ContentHash;
use deed_model::{
    ArtifactRecord, ArtifactSet, Budget, CallAnswer, CallIntent, EgressDecision, GateSubject, ModelCallAnswer,
    ModelCallIntent, RunEvent, RunRequest, ServedTranscript, SignedApproval, StepFailure, SubStep, ValidationRecord,
};

impl RunState {
    /// Applies one event.
    pub fn apply(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Submitted { run } => self.submitted(run),
            RunEvent::Taken { by, accepted_rollback, replay } => self.taken(by, *accepted_rollback, replay.as_ref()),
            RunEvent::Distilled { call, candidates } => self.distilled = Some((*call, candidates.clone())),
            RunEvent::Preflighted { step, validation, .. } => self.judged(validation, Some(step)),
            RunEvent::Checkpointed { .. } => {}
            RunEvent::StepStarted { step, attempt } => self.at(step).started(*attempt),
            RunEvent::CallBegan { call } => self.call_began(call),
            RunEvent::CallEnded { answer } => self.call_ended(answer),
            RunEvent::CallRefused { step, failure } => self.at(step).refused(failure),
            RunEvent::ModelCallBegan { call } => self.model_began(call),
            RunEvent::ModelAttempted { .. } => {}
            RunEvent::ModelCallEnded { answer } => self.model_ended(answer),
            RunEvent::Egress { step, decision } => self.at(step).decided(decision),
            RunEvent::Progress { step, done, total, note } => {
                self.at(step).progress = Some((*done, *total, note.clone()));
            }
            RunEvent::GateOpened { subject, subject_hash } => self.gate_opened(subject, *subject_hash),
            RunEvent::GateDecided { signed } => self.gate_decided(signed),
            RunEvent::GateLapsed { gate_id, subject_hash, .. } => self.gate_lapsed(gate_id, subject_hash),
            RunEvent::ApprovalUsed { approval_id, .. } => {
                self.used.insert(approval_id.clone());
            }
            RunEvent::StepParked { step, gate_id, spent, sub_steps, .. } => {
                self.spend(*spent);
                self.at(step).parked(gate_id, *spent, sub_steps);
            }
            RunEvent::Validated { stage, validation, .. } => {
                self.validated.insert(*stage);
                self.judged(validation, None);
            }
            RunEvent::StepSucceeded { step, attempt, outputs, sets, spent, remarks, sub_steps, validation, .. } => {
                self.judged(validation, Some(step));
                self.spend(*spent);
                self.written(step, outputs, sets);
                self.at(step).succeeded(*attempt, outputs, remarks, sub_steps);
            }
            RunEvent::StepFailed { step, failure, spent, again_after_ms, sub_steps, .. } => {
                self.spend(*spent);
                self.at(step).failed(failure, *again_after_ms, sub_steps);
            }
            RunEvent::CancelRequested { by, why } => {
                self.cancelled = Some(Cancelled { by: by.clone(), why: why.clone() });
            }
            RunEvent::Ended { outcome, why } => {
                self.ended = Some(*outcome);
                self.why.clone_from(why);
            }
            RunEvent::Sealed { .. } => self.sealed = true,
        }
    }

    fn taken(&mut self, by: &str, accepted_rollback: bool, replay: Option<&ServedTranscript>) {
        if accepted_rollback {
            self.accepted_rollbacks.push(by.to_owned());
        }
        let new = replay.filter(|served| !self.replays.contains(served));
        self.replays.extend(new.cloned());
    }

    fn submitted(&mut self, run: &RunRequest) {
        let given = run.inputs.iter().map(|input| (input.path.clone(), (input.clone(), None)));
        self.artifacts.extend(given);
        self.request = Some(run.clone());
    }

    fn call_began(&mut self, call: &CallIntent) {
        let step = self.at(&call.step);
        if !step.calls.contains_key(&call.key) {
            step.order.push(call.key.clone());
        }
        let attempt = step.attempt;
        let state = CallState { intent: call.clone(), answer: None, attempt };
        // What it cost before was spent, and it is paid for again. Models that it asked in this attempt answer again.
        let before = step.calls.insert(call.key.clone(), state);
        let spent = before.map(|before| match &before.answer {
            Some(answer) => answer.spent,
            None if before.attempt == attempt => Budget::default(),
            None => step.unanswered(&before),
        });
        if let Some(spent) = spent {
            self.spend(spent);
        }
    }

    /// A call that is begun again is the same call: the reply of the time before was lost.
    fn model_began(&mut self, call: &ModelCallIntent) {
        let models = &mut self.at(&call.step).models;
        match models.iter_mut().find(|model| model.intent.key == call.key) {
            Some(known) => known.begun += 1,
            None => models.push(ModelCallState { intent: call.clone(), begun: 1, answer: None }),
        }
    }

    fn model_ended(&mut self, answer: &ModelCallAnswer) {
        let models = self.at(&answer.step).models.iter_mut();
        if let Some(model) = models.rev().find(|model| model.intent.key == answer.key) {
            model.answer = Some(answer.clone());
        }
    }

    fn call_ended(&mut self, answer: &CallAnswer) {
        if let Some(call) = self.at(&answer.step).calls.get_mut(&answer.key) {
            call.answer = Some(answer.clone());
        }
    }

    fn gate_opened(&mut self, subject: &GateSubject, subject_hash: ContentHash) {
        let state = GateState { subject: subject.clone(), subject_hash, decided: None };
        self.gates.insert(subject.gate_id.clone(), state);
    }

    /// The first answer to what is shown now counts; an answer to what was shown before does not.
    fn gate_decided(&mut self, signed: &SignedApproval) {
        if let Some(gate) = self.gates.get_mut(&signed.approval.gate_id)
            && gate.subject_hash == signed.approval.subject_hash
            && gate.decided.is_none()
        {
            gate.decided = Some(signed.clone());
        }
    }

    /// Removes a gate, if what lapsed is what it shows now.
    fn gate_lapsed(&mut self, gate_id: &str, subject_hash: &ContentHash) {
        if self.gates.get(gate_id).is_some_and(|gate| gate.subject_hash == *subject_hash) {
            self.gates.remove(gate_id);
        }
    }

    /// Adds the files of a step that succeeded to the workspace.
    fn written(&mut self, step: &str, outputs: &[ArtifactRecord], sets: &[ArtifactSet]) {
        self.sets.extend(sets.iter().map(|set| (set.path.clone(), set.clone())));
        let written = outputs.iter().map(|out| (out.path.clone(), (out.clone(), Some(step.to_owned()))));
        self.artifacts.extend(written);
    }

    /// Takes verdicts in. What a correction keeps is a file of the run.
    fn judged(&mut self, validation: &[ValidationRecord], step: Option<&str>) {
        let corrections = validation.iter().filter_map(|record| record.correction.as_ref());
        for kept in corrections.flat_map(|correction| [&correction.original, &correction.report]) {
            self.artifacts.insert(kept.path.clone(), (kept.clone(), step.map(str::to_owned)));
        }
        let proposals = validation.iter().filter_map(|record| record.corrector.as_ref()?.proposals.as_ref());
        for kept in proposals {
            self.artifacts.insert(kept.path.clone(), (kept.clone(), step.map(str::to_owned)));
        }
        // An attempt that is begun again judges the same inputs.
        let new: Vec<ValidationRecord> =
            validation.iter().filter(|record| !self.validation.contains(record)).cloned().collect();
        self.validation.extend(new);
    }

    fn spend(&mut self, spent: Budget) {
        self.spent = self.spent.plus(spent);
    }
}

impl StepState {
    fn started(&mut self, attempt: u32) {
        self.status = StepStatus::Running;
        if self.attempt != attempt {
            (self.attempt, self.paid_seconds) = (attempt, 0);
            self.remarks.clear();
        }
    }

    fn refused(&mut self, failure: &StepFailure) {
        let subject = failure.subject.as_ref().map_or_else(String::new, |subject| format!("{subject}: "));
        self.remark(format!("{subject}{}", failure.message));
    }

    /// Remarks what a decision of the gateway denied.
    fn decided(&mut self, decision: &EgressDecision) {
        if self.remarks.len() < MOST_REMARKS {
            denial(decision, None).into_iter().for_each(|denial| self.remark(denial));
        }
    }

    fn parked(&mut self, gate_id: &str, spent: Budget, sub_steps: &[SubStep]) {
        self.sub_steps.extend(sub_steps.iter().cloned());
        self.paid_seconds += spent.wall_seconds.unwrap_or(0);
        self.status = StepStatus::Parked { gate_id: gate_id.to_owned() };
    }

    fn succeeded(&mut self, attempt: u32, outputs: &[ArtifactRecord], remarks: &[String], sub_steps: &[SubStep]) {
        self.status = StepStatus::Succeeded;
        self.sub_steps.extend(sub_steps.iter().cloned());
        self.attempt = attempt;
        outputs.clone_into(&mut self.outputs);
        remarks.iter().for_each(|remark| self.remark(remark.clone()));
    }

    fn failed(&mut self, failure: &StepFailure, again_after_ms: Option<u64>, sub_steps: &[SubStep]) {
        self.sub_steps.extend(sub_steps.iter().cloned());
        let failure = failure.clone();
        // Each finding is shown once.
        let repeats = |remark: &String| remark.ends_with(&failure.message) || failure.message.ends_with(remark);
        self.remarks.retain(|remark| !repeats(remark));
        self.status = match again_after_ms {
            Some(after_ms) => StepStatus::Again { after_ms, failure },
            None => StepStatus::Failed { failure },
        };
    }
}
