//! Calls with effects that another run of the family has made already.
//!
//! A fork does a step anew, but nothing acts twice: an effect whose answer is known is served that answer, and of one
//! whose answer was lost a person decides whether it is sent again. A person also decides about the first call that goes
//! to the address of a lost one and is not the same: changed code may mean the same by it. Reads are made anew.

use super::call::No;
use crate::attempt::Attempt;
use crate::checkpoint::changes_something;
use crate::family::{Family, Relative};
use crate::gates::{self, Asked};
use crate::state::{CallState, OUTCOME_UNKNOWN, RunState, SERVED_FROM};
use deed_egress::{EffectIdentity, FetchError};
use deed_model::{
    ApprovedCall, Budget, CallAnswer, CallEffect, CallGate, CallIntent, CallOutcome, RunEvent, StepFailure,
};
use deed_ports::{StoreError, Wait};
use serde_json::json;

/// The role of those who decide whether an effect whose answer was lost is sent again.
pub(crate) const OPERATOR: &str = "operator";

/// What is done with a call that a fork is about to make.
#[derive(Debug)]
pub(crate) enum Before {
    /// No run of the family made it: it is sent with its own key.
    Unmade,
    /// It was answered, and this is the answer.
    Answered(Box<CallAnswer>),
    /// It is sent again, with the key that it had before.
    Sent(String),
    /// The code waits for a decision.
    Parked,
    /// It is not sent, and the step fails.
    Refused(Box<StepFailure>),
}

/// What a run of the family knows about a call. Later variants count for more.
#[derive(Debug)]
enum Earlier<'f> {
    /// It was made and had no effect, or may be made again.
    Again,
    /// It was sent, and what came of it is not known.
    Unknown(Why),
    /// It was made, and this was its answer.
    Answered(&'f CallAnswer),
}

impl Earlier<'_> {
    fn weight(&self) -> u8 {
        match self {
            Self::Again => 0,
            Self::Unknown(_) => 1,
            Self::Answered(_) => 2,
        }
    }
}

/// Why the outcome of a call is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// There was no answer.
    Lost,
    /// The other side answered that it failed.
    Failed(u64),
}

/// A call as the family knows it.
#[derive(Debug)]
struct Found<'f> {
    /// The run that says so.
    run_id: &'f str,
    /// The key of the first run that made it.
    key: &'f str,
    earlier: Earlier<'f>,
}

/// Decides what is done with a call that this run has not made. `shown` is what an approver would see.
pub(crate) fn settle(
    attempt: &Attempt,
    intent: &CallIntent,
    shown: impl FnOnce() -> ApprovedCall,
) -> Result<Before, StoreError> {
    if !changes_something(intent) {
        return Ok(Before::Unmade);
    }
    let family = attempt.run.family()?;
    let Some(found) = look_up(attempt, &family, intent) else { return unmade(attempt, &family, intent, shown) };
    match found.earlier {
        Earlier::Answered(answer) => {
            take_over(attempt, intent, found.run_id, answer.clone()).map(Box::new).map(Before::Answered)
        }
        Earlier::Again => Ok(Before::Sent(found.key.to_owned())),
        Earlier::Unknown(why) => {
            let question = format!(
                "The run {} sent {} and {}, so it may have happened. Send it again?",
                found.run_id,
                intent.summary,
                why.in_words()
            );
            ask(attempt, intent, shown(), gate_id(found.key), question, Before::Sent(found.key.to_owned()))
        }
    }
}

/// Decides about a call that no relative made in just this way.
fn unmade(
    attempt: &Attempt,
    family: &Family,
    intent: &CallIntent,
    shown: impl FnOnce() -> ApprovedCall,
) -> Result<Before, StoreError> {
    if let Some((lost, why)) = unsettled(attempt, family, intent) {
        let question = format!(
            "The run {} sent {} and {}, so it may have happened. This call is not the same, and goes to the same \
             address. Send it, and further calls to that address without asking?",
            lost.run_id,
            intent.summary,
            why.in_words()
        );
        return ask(attempt, intent, shown(), gate_id(lost.key), question, Before::Unmade);
    }
    if let Some(run_id) = rewritten(attempt, family, intent) {
        let question = format!(
            "The run {run_id} sent {} with the same body, and with other headers or another client. Send it, and further \
             calls of this step that differ so without asking?",
            intent.summary
        );
        return ask(attempt, intent, shown(), rewritten_gate(&intent.step), question, Before::Unmade);
    }
    Ok(Before::Unmade)
}

impl Why {
    fn in_words(self) -> String {
        match self {
            Self::Lost => "lost the answer".to_owned(),
            Self::Failed(status) => format!("was answered {status}"),
        }
    }
}

/// Looks a call up in the family. Of the runs that this one goes back to, the nearest that made it says what came of it;
/// of them and the other forks, whoever has an answer counts most, and whoever lost one comes next.
fn look_up<'f>(attempt: &Attempt, family: &'f Family, intent: &CallIntent) -> Option<Found<'f>> {
    let made = |relative: &'f Relative| {
        let call = calls_of(attempt, relative, &intent.step).find(|call| is_same(&call.intent, intent));
        call.map(|call| (relative, call))
    };
    let chain: Vec<_> = family.ancestors.iter().filter_map(made).collect();
    let others: Vec<_> = family.others.iter().filter_map(made).collect();
    let key = chain.last().or(others.first()).map(|(_, call)| call.intent.key.as_str())?;
    let told = chain.into_iter().take(1).chain(others).map(|(relative, call)| (relative, known(call)));
    // Of equal ones the first counts.
    let (relative, earlier) = told.reduce(|best, next| if next.1.weight() > best.1.weight() { next } else { best })?;
    Some(Found { run_id: &relative.run_id, key, earlier })
}

/// A call of the same step to the same address whose answer was lost, and about which nobody has decided since.
fn unsettled<'f>(attempt: &Attempt, family: &'f Family, intent: &CallIntent) -> Option<(Found<'f>, Why)> {
    let state = attempt.run.state();
    let decided = |key: &str| {
        let gate = gate_id(key);
        let states = family.all().map(|relative| &relative.state).chain([&*state]);
        states.filter_map(|state| state.gates.get(&gate)).any(|gate| !gate.is_open() && !gate.is_rejected())
    };
    let calls = family.all().flat_map(|relative| calls_of(attempt, relative, &intent.step));
    let alike =
        calls.filter(|call| call.intent.summary == intent.summary && matches!(known(call), Earlier::Unknown(_)));
    let mut lost = alike.filter(|call| !made_here(&state, &call.intent, &intent.step)).filter_map(|call| {
        let found = look_up(attempt, family, &call.intent)?;
        let Earlier::Unknown(why) = found.earlier else { return None };
        (!decided(found.key)).then_some((found, why))
    });
    lost.next()
}

/// The run that made a call of this method, URL and body with other headers, which this run has not made, unless it was
/// decided that such calls are sent.
fn rewritten<'f>(attempt: &Attempt, family: &'f Family, intent: &CallIntent) -> Option<&'f str> {
    let state = attempt.run.state();
    let gate = state.gates.get(&rewritten_gate(&intent.step));
    if gate.is_some_and(|gate| !gate.is_open() && !gate.is_rejected()) {
        return None;
    }
    let made = |relative: &&Relative| {
        calls_of(attempt, relative, &intent.step).any(|call| {
            has_same_target(&call.intent, intent)
                // About one whose answer was lost it was decided before.
                && matches!(known(call), Earlier::Answered(_))
                && !made_here(&state, &call.intent, &intent.step)
        })
    };
    family.all().find(made).map(|relative| relative.run_id.as_str())
}

/// Whether this run has made a call of an earlier one already.
fn made_here(state: &RunState, earlier: &CallIntent, step: &str) -> bool {
    let mut calls = state.step(step).into_iter().flat_map(|step| step.calls.values());
    calls.any(|call| is_same(&call.intent, earlier))
}

/// The gate at which it is decided whether calls are sent that differ in headers from those of an earlier run.
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

/// The same call: the same request to the other side, as often, however it was written. An answer through the proxy has
/// another form than one through the bridge, and is not served there. Calls of older versions have no effect written
/// down, and are compared by their arguments.
fn is_same(earlier: &CallIntent, intent: &CallIntent) -> bool {
    let same = match (&earlier.effect, &intent.effect) {
        (Some(earlier), Some(own)) => earlier.exact == own.exact && earlier.occurrence == own.occurrence,
        _ => earlier.arguments_hash == intent.arguments_hash && earlier.occurrence == intent.occurrence,
    };
    same && earlier.tool == intent.tool
}

/// The same method, URL and body, whatever the headers and whichever way it went.
fn has_same_target(earlier: &CallIntent, intent: &CallIntent) -> bool {
    earlier.effect.zip(intent.effect).is_some_and(|(earlier, own)| earlier.target == own.target)
}

/// The calls with effects of a relative that a step may repeat: those of the step, and those of steps that the plan no
/// longer has, as a renamed step leaves them.
fn calls_of<'f>(
    attempt: &Attempt,
    relative: &'f Relative,
    step: &str,
) -> impl Iterator<Item = &'f CallState> + use<'f> {
    let plan = attempt.run.plan.clone();
    let step = step.to_owned();
    let steps = relative
        .state
        .steps
        .iter()
        .filter(move |(id, _)| **id == step || !plan.steps.iter().any(|contract| contract.step_id == **id));
    steps.flat_map(|(_, state)| state.calls.values()).filter(|call| call.changes_something())
}

fn known(call: &CallState) -> Earlier<'_> {
    let unknown = |why| if call.intent.repeatable { Earlier::Again } else { Earlier::Unknown(why) };
    let Some(answer) = &call.answer else { return unknown(Why::Lost) };
    match &answer.outcome {
        CallOutcome::Failed { kind, .. } if kind == OUTCOME_UNKNOWN => Earlier::Unknown(Why::Lost),
        CallOutcome::Failed { .. } => Earlier::Again,
        // A request through the proxy that has no answer: what is kept of it is why.
        CallOutcome::Result { value } if value.get("error").is_some() && value.get("response").is_none() => {
            let error = value.get("error").and_then(|error| serde_json::from_value::<FetchError>(error.clone()).ok());
            // An error that cannot be read may be one of a request that was sent.
            if error.is_none_or(|error| error.sent()) { unknown(Why::Lost) } else { Earlier::Again }
        }
        CallOutcome::Result { .. } | CallOutcome::Stored { .. } => match status(answer) {
            // The other side refused it, so it had no effect there.
            Some(400..500) => Earlier::Again,
            // The other side failed over it, and does not say how far it came.
            Some(status @ 500..) => unknown(Why::Failed(status)),
            _ => Earlier::Answered(answer),
        },
    }
}

/// The status of an answer, also of one that was taken over before.
fn status(answer: &CallAnswer) -> Option<u64> {
    let proof = &answer.proof;
    let nested = proof.pointer("/earlier/status");
    proof.get("status").or(nested).and_then(serde_json::Value::as_u64)
}

/// Writes down that a call was answered in an earlier run. Nothing left for it, so it costs nothing but being a call.
fn take_over(
    attempt: &Attempt,
    intent: &CallIntent,
    from: &str,
    earlier: CallAnswer,
) -> Result<CallAnswer, StoreError> {
    let spent = Budget { governed_calls: Some(1), ..Budget::default() };
    // What is taken over once more is proved by the run that made it.
    let proof = match earlier.proof.get(SERVED_FROM) {
        Some(_) => earlier.proof,
        None => json!({ SERVED_FROM: from, "earlier": earlier.proof }),
    };
    let answer =
        CallAnswer { step: intent.step.clone(), key: intent.key.clone(), outcome: earlier.outcome, spent, proof };
    let call = CallIntent { reserved: spent, ..intent.clone() };
    let events = vec![RunEvent::CallBegan { call }, RunEvent::CallEnded { answer: answer.clone() }];
    attempt.run.record_all(events, Wait::Ordered)?;
    Ok(answer)
}

/// Asks a person about a call after one whose answer was lost; `approved` is what is done with it if they agree.
fn ask(
    attempt: &Attempt,
    intent: &CallIntent,
    call: ApprovedCall,
    gate_id: String,
    question: String,
    approved: Before,
) -> Result<Before, StoreError> {
    let gate = CallGate { tool: intent.tool.clone(), question, approver_role: OPERATOR.to_owned(), when: None };
    let mut subject = gates::subject_of_call(&attempt.run, &attempt.contract, &gate, &intent.key, call);
    subject.gate_id.clone_from(&gate_id);
    Ok(match gates::ask(&attempt.run, &attempt.contract.step_id, subject, None)? {
        Asked::Open => approved,
        Asked::Pending => {
            attempt.park(&gate_id);
            Before::Parked
        }
        Asked::Refused(failure) => Before::Refused(Box::new(failure)),
    })
}

/// The step fails, and nothing more happens in it.
pub(crate) fn refused(attempt: &Attempt, failure: StepFailure) -> No {
    let message = failure.message.clone();
    attempt.trouble(failure, true);
    attempt.stop();
    No::new("rejected", message)
}
