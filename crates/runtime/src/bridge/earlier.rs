//! Calls with effects that another run of the family has made already.
//!
//! A fork does a step anew, but nothing acts twice: an effect whose answer is known is served that answer, and of one
//! whose answer was lost an operator decides whether it is sent again. The operator also decides about the first call to
//! the address of a lost one that is not the same, and about calls that differ from an answered one only in headers, in
//! spelling or in the client: changed code may mean the same by them. Reads are made anew.

use super::error::BridgeError;
use crate::attempt::Attempt;
use crate::checkpoint::changes_something;
use crate::engine::from_on;
use crate::family::{Family, Relative};
use crate::gates::{self, GateAnswer};
use crate::state::{CallState, RunState, SERVED_FROM};
use deed_egress::{EffectIdentity, FetchError, address};
use deed_model::{
    ApprovedCall, BridgeErrorKind, Budget, CallAnswer, CallEffect, CallGate, CallIntent, CallOutcome, EarlierCall,
    RunEvent, StepFailure,
};
use deed_ports::{StoreError, Wait};
use serde_json::json;
use std::collections::BTreeMap;

/// The role of those who decide whether an effect whose answer was lost is sent again.
pub const OPERATOR: &str = "operator";

/// The treatment of a call that a fork is about to make.
#[derive(Debug)]
pub(crate) enum PriorCall {
    /// No run of the family made it: it is sent with its own key.
    Unmade,
    /// It was answered, and this is the answer.
    Answered(Box<CallAnswer>),
    /// It is sent again, with the key that this call had before.
    Sent(EarlierCall),
    /// The code waits for a decision.
    Parked,
    /// It is not sent, and the step fails.
    Refused(Box<StepFailure>),
}

/// The outcome of a call in a run of the family.
#[derive(Debug)]
enum PriorOutcome<'f> {
    /// It was made and had no effect, or may be made again.
    Again,
    /// It was sent, and its outcome is unknown.
    Unknown(LossReason),
    /// It was made, and this was its answer.
    Answered(&'f CallAnswer),
}

/// The reason why the outcome of a call is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LossReason {
    /// There was no answer.
    Lost,
    /// The other side answered that it failed.
    Failed(u64),
}

/// An effect as the family knows it: the call that made it first, and those that repeated it or were served its answer.
#[derive(Debug)]
struct Instance<'f> {
    root: EarlierCall,
    /// The step and the occurrence of the first one.
    step: &'f str,
    occurrence: u64,
    /// The calls, the first one first.
    calls: Vec<(&'f Relative, &'f CallState)>,
}

impl<'f> Instance<'f> {
    /// Returns the outcome: an answer, if any of its calls has one, and otherwise that of the last call.
    fn known(&self) -> Option<(&'f Relative, PriorOutcome<'f>)> {
        let mut known = self.calls.iter().map(|(relative, call)| (*relative, known(call))).collect::<Vec<_>>();
        let answered = known.iter().position(|(_, earlier)| matches!(earlier, PriorOutcome::Answered(_)));
        match answered {
            Some(at) => Some(known.swap_remove(at)),
            None => known.pop(),
        }
    }
}

/// Decides what is done with a call that this run has not made. `shown` is what an approver would see.
pub(crate) fn settle(
    attempt: &Attempt,
    intent: &CallIntent,
    shown: impl FnOnce() -> ApprovedCall,
) -> Result<PriorCall, StoreError> {
    if !changes_something(intent) {
        return Ok(PriorCall::Unmade);
    }
    let family = attempt.run.family()?;
    let mut same = instances(attempt, &family, |earlier| is_same(earlier, intent));
    // Of equal ones, that of the same step and place is most likely meant; how many there are counts.
    let occurrence = intent.effect.map_or(intent.occurrence, |effect| effect.occurrence);
    same.sort_by_key(|instance| (instance.step != intent.step, instance.occurrence != occurrence));
    let claimed = attempt.run.claim(same.iter().map(|instance| &instance.root), &intent.key);
    let found = claimed.and_then(|root| same.iter().find(|instance| instance.root == *root));
    let Some((instance, (relative, earlier))) = found.and_then(|found| Some((found, found.known()?))) else {
        return unmade(attempt, &family, intent, shown);
    };
    match earlier {
        PriorOutcome::Answered(answer) => {
            let answer = take_over(attempt, intent, &relative.run_id, &instance.root, answer.clone())?;
            Ok(PriorCall::Answered(Box::new(answer)))
        }
        PriorOutcome::Again => Ok(PriorCall::Sent(instance.root.clone())),
        PriorOutcome::Unknown(why) => {
            let question = format!(
                "The run {} sent {} and {}, so it may have happened. Send it again?",
                relative.run_id,
                intent.summary,
                why.in_words()
            );
            let gate = gate_id(&instance.root.key);
            ask(attempt, intent, shown(), gate, question, PriorCall::Sent(instance.root.clone()))
        }
    }
}

/// Decides about a call that no relative made in just this way.
fn unmade(
    attempt: &Attempt,
    family: &Family,
    intent: &CallIntent,
    shown: impl FnOnce() -> ApprovedCall,
) -> Result<PriorCall, StoreError> {
    if let Some((lost, run_id, why)) = unsettled(attempt, family, intent) {
        let question = format!(
            "The run {} sent {} and {}, so it may have happened. This call is not the same, and goes to the same \
             address. Send it, and further calls to that address without asking?",
            run_id,
            intent.summary,
            why.in_words()
        );
        return ask(attempt, intent, shown(), gate_id(&lost.key), question, PriorCall::Unmade);
    }
    if let Some(run_id) = rewritten(attempt, family, intent) {
        let question = format!(
            "The run {run_id} sent {} with the same body, and with other headers, in another spelling or by another client. Send it, and further \
             calls of this step that differ so without asking?",
            intent.summary
        );
        return ask(attempt, intent, shown(), rewritten_gate(&intent.step), question, PriorCall::Unmade);
    }
    Ok(PriorCall::Unmade)
}

impl LossReason {
    fn in_words(self) -> String {
        match self {
            Self::Lost => "lost the answer".to_owned(),
            Self::Failed(status) => format!("was answered {status}"),
        }
    }
}

/// The effects of the family that this run may repeat, the oldest first: those of steps that it does anew, and of steps
/// that the plan no longer has. The effects of a reused step are not repeated.
fn instances<'f>(attempt: &Attempt, family: &'f Family, wanted: impl Fn(&CallIntent) -> bool) -> Vec<Instance<'f>> {
    let plan = &attempt.run.plan;
    let forked = attempt.run.request.forked.as_ref();
    let again = forked.map(|fork| from_on(plan, &fork.step)).unwrap_or_default();
    let concerns = |step: &str| again.contains(step) || !plan.steps.iter().any(|contract| contract.step_id == step);
    let mut instances: Vec<Instance<'f>> = Vec::new();
    let mut places: BTreeMap<EarlierCall, usize> = BTreeMap::new();
    for relative in family.ancestors.iter().rev().chain(&family.others) {
        for (step, state) in relative.state.steps.iter().filter(|(step, _)| concerns(step)) {
            let calls = state.order.iter().filter_map(|key| state.calls.get(key));
            for call in calls.filter(|call| call.changes_something() && wanted(&call.intent)) {
                let own = EarlierCall { run_id: relative.run_id.clone(), key: call.intent.key.clone() };
                let root = call.intent.repeats.clone().unwrap_or(own);
                match places.get(&root).and_then(|place| instances.get_mut(*place)) {
                    Some(instance) => instance.calls.push((relative, call)),
                    // The first one is of a reused step.
                    None if call.intent.repeats.is_some() => {}
                    None => {
                        places.insert(root.clone(), instances.len());
                        let occurrence = call.intent.effect.map_or(call.intent.occurrence, |effect| effect.occurrence);
                        instances.push(Instance { root, step, occurrence, calls: vec![(relative, call)] });
                    }
                }
            }
        }
    }
    instances
}

/// Returns an effect at the same address whose answer was lost, which no call of this run repeats, and about which the
/// operator has not decided since.
fn unsettled(attempt: &Attempt, family: &Family, intent: &CallIntent) -> Option<(EarlierCall, String, LossReason)> {
    let decided = |key: &str| {
        let gate = gate_id(key);
        let decided =
            |state: &RunState| state.gates.get(&gate).is_some_and(|gate| !gate.is_open() && !gate.is_rejected());
        family.all().any(|relative| decided(&relative.state)) || decided(&attempt.run.state())
    };
    let near = place(&intent.summary);
    let alike = instances(attempt, family, |earlier| place(&earlier.summary) == near);
    let mut lost = alike.into_iter().filter_map(|instance| match instance.known()? {
        (relative, PriorOutcome::Unknown(why)) => Some((instance.root, relative.run_id.clone(), why)),
        _ => None,
    });
    lost.find(|(root, ..)| !attempt.run.is_claimed(root) && !decided(&root.key))
}

/// The run that made a call of this method, URL and body with other headers, which no call of this run repeats, unless it
/// was decided that such calls are sent.
fn rewritten(attempt: &Attempt, family: &Family, intent: &CallIntent) -> Option<String> {
    let gate = attempt.run.state().gates.get(&rewritten_gate(&intent.step)).cloned();
    if gate.is_some_and(|gate| !gate.is_open() && !gate.is_rejected()) {
        return None;
    }
    let alike = instances(attempt, family, |earlier| has_same_target(earlier, intent));
    let mut answered = alike.into_iter().filter(|instance| !attempt.run.is_claimed(&instance.root));
    answered.find_map(|instance| match instance.known()? {
        (relative, PriorOutcome::Answered(_)) => Some(relative.run_id.clone()),
        _ => None,
    })
}

/// Method and address of a request, as far as they can matter.
fn place(summary: &str) -> (String, String) {
    let (method, url) = summary.split_once(' ').unwrap_or((summary, ""));
    (method.to_owned(), address(url))
}

/// Returns the gate for calls that differ from an answered one only in headers, spelling or client.
fn rewritten_gate(step: &str) -> String {
    format!("again:{step}:headers")
}

/// The gate at which it is decided whether a call is sent whose answer was lost.
fn gate_id(key: &str) -> String {
    format!("again:{key}")
}

/// A call's effect with its place among equal ones of the attempt.
pub(crate) fn counted(attempt: &Attempt, effect: EffectIdentity) -> CallEffect {
    let EffectIdentity { exact, target } = effect;
    CallEffect { exact, target, occurrence: attempt.occurrence("effect", &exact.to_string()) }
}

/// Returns whether two calls are the same request to the receiver, in any spelling. An answer through the proxy has another
/// form than one through the bridge, and is not served there. Calls of older versions have no recorded effect, and are
/// compared by step and arguments.
fn is_same(earlier: &CallIntent, intent: &CallIntent) -> bool {
    let same = match (&earlier.effect, &intent.effect) {
        (Some(earlier), Some(own)) => earlier.exact == own.exact,
        _ => earlier.step == intent.step && earlier.arguments_hash == intent.arguments_hash,
    };
    same && earlier.tool == intent.tool
}

/// Returns whether two calls have the same method, URL and body; headers and channel may differ.
fn has_same_target(earlier: &CallIntent, intent: &CallIntent) -> bool {
    earlier.effect.zip(intent.effect).is_some_and(|(earlier, own)| earlier.target == own.target)
}

fn known(call: &CallState) -> PriorOutcome<'_> {
    let unknown = |why| if call.intent.repeatable { PriorOutcome::Again } else { PriorOutcome::Unknown(why) };
    let Some(answer) = &call.answer else { return unknown(LossReason::Lost) };
    match &answer.outcome {
        CallOutcome::Failed { kind, .. } if *kind == BridgeErrorKind::OutcomeUnknown => {
            PriorOutcome::Unknown(LossReason::Lost)
        }
        CallOutcome::Failed { .. } => PriorOutcome::Again,
        // A request through the proxy that has no answer: what is kept of it is why.
        CallOutcome::Result { value } if value.get("error").is_some() && value.get("response").is_none() => {
            let error = value.get("error").and_then(|error| serde_json::from_value::<FetchError>(error.clone()).ok());
            // An error that cannot be read may be one of a request that was sent.
            if error.is_none_or(|error| error.sent()) { unknown(LossReason::Lost) } else { PriorOutcome::Again }
        }
        CallOutcome::Result { .. } | CallOutcome::Stored { .. } => match status(answer) {
            // The other side refused it, so it had no effect there.
            Some(400..500) => PriorOutcome::Again,
            // The other side failed over it, and does not say how far it came.
            Some(status @ 500..) => unknown(LossReason::Failed(status)),
            _ => PriorOutcome::Answered(answer),
        },
    }
}

/// Returns the status of an answer, also of one that was served from an earlier run.
fn status(answer: &CallAnswer) -> Option<u64> {
    let proof = &answer.proof;
    let nested = proof.pointer("/earlier/status");
    proof.get("status").or(nested).and_then(serde_json::Value::as_u64)
}

/// Records that a call was answered in an earlier run. Nothing was sent, so it costs one call and nothing else.
fn take_over(
    attempt: &Attempt,
    intent: &CallIntent,
    from: &str,
    root: &EarlierCall,
    earlier: CallAnswer,
) -> Result<CallAnswer, StoreError> {
    let spent = Budget { governed_calls: Some(1), ..Budget::default() };
    // An answer that was served before is proved by the run that made it.
    let proof = match earlier.proof.get(SERVED_FROM) {
        Some(_) => earlier.proof,
        None => json!({ SERVED_FROM: from, "earlier": earlier.proof }),
    };
    let answer =
        CallAnswer { step: intent.step.clone(), key: intent.key.clone(), outcome: earlier.outcome, spent, proof };
    let call = CallIntent { reserved: spent, repeats: Some(root.clone()), ..intent.clone() };
    let events = vec![RunEvent::CallBegan { call }, RunEvent::CallEnded { answer: answer.clone() }];
    attempt.run.record_all(events, Wait::Ordered)?;
    Ok(answer)
}

/// Asks the operator about a call after one whose answer was lost; `approved` is returned if they agree.
fn ask(
    attempt: &Attempt,
    intent: &CallIntent,
    call: ApprovedCall,
    gate_id: String,
    question: String,
    approved: PriorCall,
) -> Result<PriorCall, StoreError> {
    let gate = CallGate { tool: intent.tool.clone(), question, approver_role: OPERATOR.to_owned(), when: None };
    let mut subject = gates::subject_of_call(&attempt.run, &attempt.contract, &gate, &intent.key, call);
    subject.gate_id.clone_from(&gate_id);
    Ok(match gates::ask(&attempt.run, &attempt.contract.step_id, subject, None)? {
        GateAnswer::Open => approved,
        GateAnswer::Pending => {
            attempt.park(&gate_id);
            PriorCall::Parked
        }
        GateAnswer::Refused(failure) => PriorCall::Refused(Box::new(failure)),
    })
}

/// Fails the step, and stops its code.
pub(crate) fn refused(attempt: &Attempt, failure: StepFailure) -> BridgeError {
    let message = failure.message.clone();
    attempt.trouble(failure, true);
    attempt.stop();
    BridgeError::new(BridgeErrorKind::Rejected, message)
}
