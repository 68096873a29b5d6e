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
    /// It was not made in any of them.
    Unmade,
    /// It was made, and this was its answer.
    Answered(Box<CallAnswer>),
    /// It was made and had no effect, or may be made again: it is sent with this key, which it had before.
    Again(String),
    /// It was sent with this key, and what came of it is not known.
    Unknown(String, Why),
}

/// Why the outcome of a call is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// There was no answer.
    Lost,
    /// The other side answered that it failed.
    Failed(u64),
}

/// What asking about a lost answer came to.
#[derive(Debug)]
pub(crate) enum Again {
    /// It is sent again, with this key.
    Send(String),
    /// The code waits for a decision.
    Parked,
    /// It is not sent again.
    Refused(Box<StepFailure>),
}

/// Looks a call up in the runs that this one goes back to. The nearest one that made it says what came of it; the key is
/// the one of the first that made it.
pub(crate) fn look_up(attempt: &Attempt, intent: &CallIntent) -> Result<Earlier, StoreError> {
    let ancestors = attempt.run.ancestors()?;
    let calls = ancestors.iter().filter_map(|earlier| {
        let calls = earlier.step(&intent.step).into_iter().flat_map(|step| step.calls.values());
        calls.into_iter().find(|call| call.changes_something() && is_same(&call.intent, intent))
    });
    let calls: Vec<&CallState> = calls.collect();
    let (Some(nearest), Some(first)) = (calls.first(), calls.last()) else { return Ok(Earlier::Unmade) };
    Ok(known(nearest, &first.intent.key))
}

/// The same call: whatever else changed in the contract, this tool was asked for this before, as often.
fn is_same(earlier: &CallIntent, intent: &CallIntent) -> bool {
    earlier.tool == intent.tool
        && earlier.arguments_hash == intent.arguments_hash
        && earlier.occurrence == intent.occurrence
}

fn known(call: &CallState, key: &str) -> Earlier {
    let again = || Earlier::Again(key.to_owned());
    let unknown = |why| if call.intent.repeatable { again() } else { Earlier::Unknown(key.to_owned(), why) };
    let Some(answer) = &call.answer else { return unknown(Why::Lost) };
    match &answer.outcome {
        CallOutcome::Failed { kind, .. } if kind == OUTCOME_UNKNOWN => Earlier::Unknown(key.to_owned(), Why::Lost),
        CallOutcome::Failed { .. } => again(),
        // A request through the proxy that has no answer: what is kept of it is why.
        CallOutcome::Result { value } if value.get("error").is_some() && value.get("response").is_none() => {
            let error = value.get("error").and_then(|error| serde_json::from_value::<FetchError>(error.clone()).ok());
            // An error that cannot be read may be one of a request that was sent.
            if error.is_none_or(|error| error.sent()) { unknown(Why::Lost) } else { again() }
        }
        CallOutcome::Result { .. } | CallOutcome::Stored { .. } => match status(answer) {
            // The other side refused it, so it had no effect there.
            Some(400..500) => again(),
            // The other side failed over it, and does not say how far it came.
            Some(status @ 500..) => unknown(Why::Failed(status)),
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
pub(crate) fn ask(
    attempt: &Attempt,
    intent: &CallIntent,
    call: ApprovedCall,
    key: String,
    why: Why,
) -> Result<Again, StoreError> {
    let earlier = attempt.run.request.forked.as_ref().map_or("", |fork| fork.run_id.as_str());
    let answer = match why {
        Why::Lost => "lost the answer".to_owned(),
        Why::Failed(status) => format!("was answered {status}"),
    };
    let question = format!(
        "The run {earlier} or one before it sent {} and {answer}, so it may have happened. Send it again?",
        intent.summary
    );
    let gate = CallGate { tool: intent.tool.clone(), question, approver_role: OPERATOR.to_owned(), when: None };
    let mut subject = gates::subject_of_call(&attempt.run, &attempt.contract, &gate, &intent.key, call);
    subject.gate_id = format!("again:{}", intent.key);
    let gate_id = subject.gate_id.clone();
    Ok(match gates::ask(&attempt.run, &attempt.contract.step_id, subject, None)? {
        Asked::Open => Again::Send(key),
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
