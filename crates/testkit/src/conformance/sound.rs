//! Invariants of the events of an ended run, whatever happened to its processes.

use deed_canon::ContentHash;
use deed_model::{GateDecision, RunEvent, RunOutcome};
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of a run, if its events are consistent.
pub(crate) fn ended(events: &[RunEvent]) -> Result<RunOutcome, String> {
    let last = events.iter().position(|event| matches!(event, RunEvent::Ended { .. })).ok_or("it has not ended")?;
    let [RunEvent::Ended { outcome, .. }, RunEvent::Sealed { .. }] = &events[last..] else {
        return Err("after the end comes its seal, and nothing else".to_owned());
    };
    let Some((RunEvent::Submitted { .. }, rest)) = events[..last].split_first() else {
        return Err("it does not begin with its request".to_owned());
    };
    let mut fold = Fold::default();
    for event in rest {
        fold.take(event)?;
    }
    match fold.steps.iter().find(|(_, step)| !step.done) {
        Some((name, _)) if *outcome == RunOutcome::Succeeded => Err(format!("it succeeded without `{name}`")),
        _ => Ok(*outcome),
    }
}

#[derive(Default)]
struct Fold {
    /// The number of processes that took the run.
    taken: usize,
    steps: BTreeMap<String, Step>,
    /// True for answered calls, by key.
    calls: BTreeMap<String, bool>,
    /// The open subject of each gate.
    open: BTreeMap<String, ContentHash>,
    /// Approvals that can be used.
    approved: BTreeSet<String>,
}

#[derive(Default)]
struct Step {
    /// The current attempt, and the process that began it.
    at_work: Option<(u32, usize)>,
    done: bool,
}

impl Fold {
    fn take(&mut self, event: &RunEvent) -> Result<(), String> {
        match event {
            RunEvent::Submitted { .. } => return Err("it was submitted twice".to_owned()),
            RunEvent::Taken { .. } => self.taken += 1,
            RunEvent::StepStarted { step, attempt } => self.began(step, *attempt)?,
            RunEvent::Preflighted { step, attempt, .. } => self.working(step, Some(*attempt))?,
            RunEvent::CallBegan { call } => {
                self.working(&call.step, None)?;
                if self.calls.insert(call.key.clone(), false) == Some(true) {
                    return Err(format!("the call {} was answered, and is made again", call.key));
                }
            }
            RunEvent::CallEnded { answer } => {
                self.working(&answer.step, None)?;
                if self.calls.insert(answer.key.clone(), true) != Some(false) {
                    return Err(format!("the call {} was answered and not asked", answer.key));
                }
            }
            RunEvent::Progress { step, .. } | RunEvent::CallRefused { step, .. } => self.working(step, None)?,
            RunEvent::StepParked { step, attempt, .. } => self.rests(step, *attempt, false)?,
            RunEvent::StepSucceeded { step, attempt, .. } => self.rests(step, *attempt, true)?,
            // A step whose gate was rejected fails without having begun.
            RunEvent::StepFailed { attempt: 0, .. } => {}
            RunEvent::StepFailed { step, attempt, .. } => self.rests(step, *attempt, false)?,
            RunEvent::GateOpened { subject, subject_hash } => {
                self.open.insert(subject.gate_id.clone(), *subject_hash);
            }
            RunEvent::GateLapsed { gate_id, .. } => drop(self.open.remove(gate_id)),
            RunEvent::GateDecided { signed } => {
                // The first answer closes the gate; later ones do not count.
                let approval = &signed.approval;
                let asked = self.open.get(&approval.gate_id) == Some(&approval.subject_hash);
                if asked && self.open.remove(&approval.gate_id).is_some() && approval.decision == GateDecision::Approved
                {
                    self.approved.insert(approval.approval_id.clone());
                }
            }
            RunEvent::ApprovalUsed { approval_id, .. } => {
                if !self.approved.remove(approval_id) {
                    return Err(format!("the approval {approval_id} cannot be used, or not again"));
                }
            }
            RunEvent::ModelCallBegan { call } => self.working(&call.step, Some(call.attempt))?,
            RunEvent::ModelAttempted { step, .. } => self.working(step, None)?,
            RunEvent::ModelCallEnded { answer } => self.working(&answer.step, None)?,
            RunEvent::Distilled { .. } => return Err("a run distils nothing from itself".to_owned()),
            RunEvent::Egress { .. }
            | RunEvent::Validated { .. }
            | RunEvent::CancelRequested { .. }
            | RunEvent::Checkpointed { .. } => {}
            RunEvent::Ended { .. } | RunEvent::Sealed { .. } => return Err("it ended more than once".to_owned()),
        }
        Ok(())
    }

    fn began(&mut self, name: &str, attempt: u32) -> Result<(), String> {
        let taken = self.taken;
        let step = self.steps.entry(name.to_owned()).or_default();
        if step.done {
            return Err(format!("`{name}` begins, and had succeeded"));
        }
        if let Some((earlier, by)) = step.at_work.replace((attempt, taken))
            && (by == taken || earlier != attempt)
        {
            return Err(format!("attempt {attempt} of `{name}` begins, and attempt {earlier} is under way"));
        }
        Ok(())
    }

    fn working(&self, name: &str, attempt: Option<u32>) -> Result<(), String> {
        let at_work = self.steps.get(name).and_then(|step| step.at_work);
        match at_work {
            Some((now, _)) if attempt.is_none_or(|attempt| attempt == now) => Ok(()),
            _ => Err(format!("`{name}` does something, and is not at work: {attempt:?}, {at_work:?}")),
        }
    }

    fn rests(&mut self, name: &str, attempt: u32, done: bool) -> Result<(), String> {
        self.working(name, Some(attempt))?;
        let step = self.steps.entry(name.to_owned()).or_default();
        *step = Step { at_work: None, done };
        Ok(())
    }
}
