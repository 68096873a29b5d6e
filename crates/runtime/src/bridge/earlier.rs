//! Calls with effects that the run this one was forked from has made already.
//!
//! A fork does a step anew, but nothing acts twice: an effect whose answer is known is served that answer, and of one
//! whose answer was lost a person decides whether it is sent again. Reads are made anew.

use super::call::No;
use crate::attempt::Attempt;
use crate::gates::{self, Asked};
use crate::state::{CallState, OUTCOME_UNKNOWN};
use deed_egress::FetchError;
use deed_model::{ApprovedCall, Budget, CallAnswer, CallGate, CallIntent, CallOutcome, RunEvent, StepFailure};
use deed_ports::{StoreError, Wait};
use serde_json::json;

/// The role of those who decide whether an effect whose answer was lost is sent again.
pub(crate) const OPERATOR: &str = "operator";

/// What the earlier run says about a call.
#[derive(Debug)]
pub(crate) enum Earlier {
    /// It was not made there, or what was made there had no effect.
    Unmade,
    /// It was made, and this was its answer.
    Answered(Box<CallAnswer>),
    /// It was sent, and its answer was lost.
    Unknown,
}

/// What asking about a lost answer came to.
#[derive(Debug)]
pub(crate) enum Again {
    /// It is sent again.
    Send,
    /// The code waits for a decision.
    Parked,
    /// It is not sent again.
    Refused(Box<StepFailure>),
}

/// Looks a call up in the run that this one was forked from.
pub(crate) fn look_up(attempt: &Attempt, intent: &CallIntent) -> Result<Earlier, StoreError> {
    let Some(earlier) = attempt.run.forked_state()? else { return Ok(Earlier::Unmade) };
    let calls = earlier.step(&intent.step).into_iter().flat_map(|step| step.calls.values());
    let mut same = calls.filter(|call| call.changes_something() && is_same(&call.intent, intent));
    Ok(same.next().map_or(Earlier::Unmade, known))
}

/// The same call: whatever else changed in the contract, this tool was asked for this before, as often.
fn is_same(earlier: &CallIntent, intent: &CallIntent) -> bool {
    earlier.tool == intent.tool
        && earlier.arguments_hash == intent.arguments_hash
        && earlier.occurrence == intent.occurrence
}

fn known(call: &CallState) -> Earlier {
    let unknown = if call.intent.repeatable { Earlier::Unmade } else { Earlier::Unknown };
    let Some(answer) = &call.answer else { return unknown };
    match &answer.outcome {
        CallOutcome::Failed { kind, .. } if kind == OUTCOME_UNKNOWN => Earlier::Unknown,
        CallOutcome::Failed { .. } => Earlier::Unmade,
        // A request through the proxy that has no answer: what is kept of it is why.
        CallOutcome::Result { value } if value.get("error").is_some() && value.get("response").is_none() => {
            let error = value.get("error").and_then(|error| serde_json::from_value::<FetchError>(error.clone()).ok());
            // An error that cannot be read may be one of a request that was sent.
            if error.is_none_or(|error| error.sent()) { unknown } else { Earlier::Unmade }
        }
        CallOutcome::Result { .. } | CallOutcome::Stored { .. } => match status(answer) {
            // The other side refused it, so it had no effect there.
            Some(400..500) => Earlier::Unmade,
            // The other side failed over it, and does not say how far it came.
            Some(500..) => unknown,
            _ => Earlier::Answered(Box::new(answer.clone())),
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
pub(crate) fn take_over(attempt: &Attempt, intent: &CallIntent, earlier: CallAnswer) -> Result<CallAnswer, StoreError> {
    let spent = Budget { governed_calls: Some(1), ..Budget::default() };
    let from = attempt.run.request.forked.as_ref().map(|fork| fork.run_id.clone());
    // What is taken over once more is proved by the run that made it.
    let proof = match earlier.proof.get("served_from") {
        Some(_) => earlier.proof,
        None => json!({ "served_from": from, "earlier": earlier.proof }),
    };
    let answer =
        CallAnswer { step: intent.step.clone(), key: intent.key.clone(), outcome: earlier.outcome, spent, proof };
    let call = CallIntent { reserved: spent, ..intent.clone() };
    let events = vec![RunEvent::CallBegan { call }, RunEvent::CallEnded { answer: answer.clone() }];
    attempt.run.record_all(events, Wait::Ordered)?;
    Ok(answer)
}

/// Asks a person whether a call whose answer was lost is sent again.
pub(crate) fn ask(attempt: &Attempt, intent: &CallIntent, call: ApprovedCall) -> Result<Again, StoreError> {
    let earlier = attempt.run.request.forked.as_ref().map_or("", |fork| fork.run_id.as_str());
    let question = format!(
        "The run {earlier} sent {} and lost the answer, so it may have happened. Send it again?",
        intent.summary
    );
    let gate = CallGate { tool: intent.tool.clone(), question, approver_role: OPERATOR.to_owned(), when: None };
    let mut subject = gates::subject_of_call(&attempt.run, &attempt.contract, &gate, &intent.key, call);
    subject.gate_id = format!("again:{}", intent.key);
    let gate_id = subject.gate_id.clone();
    Ok(match gates::ask(&attempt.run, &attempt.contract.step_id, subject, None)? {
        Asked::Open => Again::Send,
        Asked::Pending => {
            attempt.park(&gate_id);
            Again::Parked
        }
        Asked::Refused(failure) => Again::Refused(Box::new(failure)),
    })
}

/// The step fails, and nothing more happens in it.
pub(crate) fn refused(attempt: &Attempt, failure: StepFailure) -> No {
    let message = failure.message.clone();
    attempt.trouble(failure, true);
    attempt.stop();
    No::new("rejected", message)
}
