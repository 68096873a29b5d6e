//! The witness of an attempt's gateway: it records every decision, and makes every request through the proxy a call like
//! any other, so that an unmodified client is served its earlier answers in a retry.

use super::call::{lost, modes, record, refuse};
use super::earlier::{self, PriorCall};
use super::error::BridgeError;
use super::kept::{self, KeepError};
use super::key::{arguments_hash, call_key};
use super::tools::Tool;
use crate::attempt::Attempt;
use crate::budget::Reservation;
use crate::conceal::{shown_name, shown_request};
use crate::fault::{FailureExt, fault};
use deed_canon::ContentHash;
use deed_diag::{Invariant as _, codes};
use deed_egress::{BeginOutcome, FetchError, Outgoing, Stop, StopClass, StoredResponse, Witness};
use deed_model::{
    ApprovedCall, BridgeErrorKind, Budget, CallAnswer, CallIdentity, CallIntent, CallOutcome, EgressChannel,
    EgressDecision, EgressRepeat, EgressVerdict, FailureClass, RunEvent, StepFailure,
};
use deed_ports::{StoreError, Wait};
use serde_json::{Value, json};
use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, Weak};

/// The name of the proxy among tools.
pub(crate) const PROXY: &str = "http.proxy";

/// The witness of an attempt's gateway.
pub(crate) struct AttemptWitness {
    attempt: Weak<Attempt>,
    begun: Mutex<HashMap<String, (Reservation, CallIntent)>>,
}

impl AttemptWitness {
    pub(crate) fn new(attempt: Weak<Attempt>) -> Self {
        Self { attempt, begun: Mutex::default() }
    }
}

fn stop(class: StopClass, message: impl Into<String>) -> Stop {
    Stop { class, message: message.into() }
}

fn gone() -> Stop {
    stop(StopClass::Cancelled, "the attempt is over")
}

impl Witness for AttemptWitness {
    fn decided(&self, decision: &EgressDecision) -> Result<(), Stop> {
        self.caught(|attempt| decided(attempt, decision, None))
    }

    fn refused(&self, decision: &EgressDecision, why: &str) -> Result<(), Stop> {
        self.caught(|attempt| decided(attempt, decision, Some(why)))
    }

    fn begin(&self, call: &Outgoing) -> Result<BeginOutcome, Stop> {
        self.caught(|attempt| {
            if call.channel != EgressChannel::Proxy {
                // The call to the tool is recorded; its key travels as a header of its own.
                return Ok(BeginOutcome::Go { idempotency_key: String::new() });
            }
            self.proxied(attempt, call)
        })
    }

    fn end(&self, key: &str, answer: &Result<StoredResponse, FetchError>) -> Result<(), Stop> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
        let Some((reservation, intent)) = begun else { return Ok(()) };
        self.caught(|attempt| ended(attempt, reservation, intent, answer))
    }

    fn broke(&self, panic: &(dyn Any + Send)) {
        // An attempt that is over has its result already.
        if let Some(attempt) = self.attempt.upgrade() {
            attempt.broke(panic);
        }
    }
}

/// Records a decision; code that is denied too often is stopped.
fn decided(attempt: &Attempt, decision: &EgressDecision, why: Option<&str>) -> Result<(), Stop> {
    // Code that has to stop is stopped before observers hear why: they may take their time, and it could continue.
    if !matches!(decision.verdict, EgressVerdict::Allowed | EgressVerdict::Learned) {
        let too_many = attempt.denied();
        // An exceeded budget was reported before.
        if too_many || decision.verdict != EgressVerdict::OverBudget {
            attempt.trouble(denied(decision, why), too_many);
        }
        if too_many {
            attempt.stop();
        }
    }
    let step = attempt.contract.step_id.clone();
    // Before anything leaves, the decision that lets it is on disk with the call that it belongs to; a denial has
    // no effect that could get ahead of it.
    let event = RunEvent::Egress { step, decision: decision.clone() };
    record(attempt, vec![event], Wait::Ordered).map_err(|error| stop(StopClass::Cancelled, error.message))
}

/// Records the end of a request through the proxy, and settles its cost.
fn ended(
    attempt: &Attempt,
    reservation: Reservation,
    intent: CallIntent,
    answer: &Result<StoredResponse, FetchError>,
) -> Result<(), Stop> {
    let sent = answer.as_ref().map_or_else(FetchError::sent, |_| true);
    let lost = answer.as_ref().err().filter(|error| error.sent() && !intent.repeatable).map(ToString::to_string);
    let summary = intent.summary.clone();
    let reserved = intent.reserved.bytes_out.invariant("a request through the proxy reserves its bytes");
    let bytes_out = Some(if sent { reserved } else { 0 });
    let money_micros = intent.reserved.money_micros.filter(|_| sent);
    let spent = Budget { governed_calls: Some(1), bytes_out, money_micros, ..Budget::default() };
    let (value, proof) = match answer {
        Ok(response) => {
            let digest = ContentHash::of_bytes(&response.body);
            (json!({ "response": response }), json!({ "response": digest, "status": response.status }))
        }
        Err(error) => (json!({ "error": error }), Value::Null),
    };
    if let Some(message) = lost {
        // The step has failed, even if its code ignores it, and must not send anything more. It is stopped before
        // observers hear of the end, since they may take their time.
        let failure = fault(FailureClass::ToolBridge, codes::OUTCOME_UNKNOWN, message).about(summary);
        attempt.trouble(failure.help("look at the other side before this is run again"), true);
        attempt.stop();
    }
    let outcome = keep(attempt, &value)?;
    let answer = CallAnswer { step: intent.step, key: intent.key, outcome, spent, proof };
    let key = answer.key.clone();
    // Settled before observers hear of it: one that panics must not give back what was spent.
    reservation.settle(&spent);
    record(attempt, vec![RunEvent::CallEnded { answer }], Wait::Durable)
        .map_err(|error| stop(StopClass::Cancelled, error.message))?;
    attempt.answered(&key, &spent);
    Ok(())
}

impl AttemptWitness {
    /// Runs work for the attempt, and turns a panic in it into a failure of the step.
    fn caught<T>(&self, work: impl FnOnce(&Attempt) -> Result<T, Stop>) -> Result<T, Stop> {
        let attempt = self.attempt.upgrade().ok_or_else(gone)?;
        catch_unwind(AssertUnwindSafe(|| work(&attempt))).unwrap_or_else(|panic| {
            attempt.broke(&*panic);
            Err(stop(StopClass::Cancelled, "the journal broke"))
        })
    }

    fn proxied(&self, attempt: &Attempt, call: &Outgoing) -> Result<BeginOutcome, Stop> {
        let tool = if call.changes_nothing() { Tool::HttpFetch } else { Tool::HttpSubmit };
        let needs = &attempt.contract.allowed_tool_ids;
        let capability = tool.capability().invariant("a request needs a capability");
        if !needs.iter().any(|need| need == capability) {
            let message = format!("the contract does not have `{capability}`, which {} needs", call.method);
            let failure = fault(FailureClass::PolicyViolation, codes::EGRESS_DENIED, message.clone())
                .about(shown_request(&call.method, &call.url))
                .help(format!("list `{capability}` under `tool_needs` of the step"));
            return Err(refused(attempt, failure, message));
        }
        if attempt.gated(tool) {
            let message = "calls that a person approves are made with `http.fetch`, and not through the proxy";
            let failure = fault(FailureClass::PolicyViolation, codes::EGRESS_DENIED, message)
                .about(shown_request(&call.method, &call.url));
            return Err(refused(attempt, failure, message.to_owned()));
        }
        let mut intent = self.intent(attempt, call)?;
        let known = attempt.run.state().step(&intent.step).and_then(|step| step.calls.get(&intent.key).cloned());
        let mut idempotency_key = intent.key.clone();
        let later = known.as_ref().is_some_and(|state| state.attempt != attempt.number);
        match known.map(|state| state.answer) {
            Some(Some(answer)) => {
                let begun = replay(attempt, &answer)?;
                // Only a later attempt retries, and only a request that cannot have happened or may happen twice.
                let again = |error: &FetchError| later && (intent.repeatable || !error.sent());
                if !matches!(&begun, BeginOutcome::ReplayFailure(error) if again(error)) {
                    attempt.answered(&answer.key, &answer.spent);
                    return Ok(begun);
                }
            }
            Some(None) if !intent.repeatable => {
                let message = "this request was under way when its process ended, and its outcome is unknown";
                let failure = fault(FailureClass::ToolBridge, codes::OUTCOME_UNKNOWN, message).about(intent.summary);
                attempt.trouble(failure, true);
                attempt.stop();
                return Err(stop(StopClass::OutcomeUnknown, message));
            }
            Some(None) => {}
            None => match made_before(attempt, call, &intent)? {
                PriorCall::Answered(answer) => {
                    let begun = replay(attempt, &answer)?;
                    attempt.answered(&answer.key, &answer.spent);
                    return Ok(begun);
                }
                PriorCall::Sent(earlier) => {
                    idempotency_key.clone_from(&earlier.key);
                    intent.repeats = Some(earlier);
                }
                PriorCall::Unmade | PriorCall::Parked | PriorCall::Refused(_) => {}
            },
        }
        if attempt.is_over() {
            return Err(gone());
        }
        let reservation = attempt.run.ledger.reserve(&attempt.account, &intent.reserved).map_err(|short| {
            // The gateway records next that the request is over its budget.
            attempt.trouble(fault(FailureClass::BudgetExhaustion, codes::BUDGET_SPENT, short.to_string()), false);
            stop(StopClass::Budget, short.to_string())
        })?;
        let wait = if intent.repeatable { Wait::Ordered } else { Wait::Durable };
        record(attempt, vec![RunEvent::CallBegan { call: intent.clone() }], wait)
            .map_err(|error| stop(StopClass::Cancelled, error.message))?;
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.insert(idempotency_key.clone(), (reservation, intent));
        Ok(BeginOutcome::Go { idempotency_key })
    }

    fn intent(&self, attempt: &Attempt, call: &Outgoing) -> Result<CallIntent, Stop> {
        let bad = |error: String| stop(StopClass::Policy, error);
        let arguments_hash = arguments_hash(&arguments(call)).map_err(|error| bad(error.to_string()))?;
        let occurrence = attempt.occurrence(PROXY, &arguments_hash.to_string());
        let identity = CallIdentity {
            run_id: attempt.run.calls_as().to_owned(),
            contract_hash: attempt.contract.spec_hash,
            tool: PROXY.to_owned(),
            arguments_hash,
            occurrence,
        };
        let tool = if call.changes_nothing() { Tool::HttpFetch } else { Tool::HttpSubmit };
        let where_to = call.url.split(['?', '#']).next().unwrap_or_default();
        Ok(CallIntent {
            step: attempt.contract.step_id.clone(),
            key: call_key(&identity).map_err(|error| bad(error.to_string()))?,
            tool: identity.tool,
            arguments_hash,
            occurrence,
            reserved: Budget {
                governed_calls: Some(1),
                bytes_out: Some(call.bytes),
                money_micros: price(attempt, call),
                ..Budget::default()
            },
            summary: format!("{} {where_to}", call.method),
            repeatable: call.changes_nothing() || call.repeat == EgressRepeat::ByKey,
            effect: call.effect.filter(|_| !call.changes_nothing()).map(|effect| earlier::counted(attempt, effect)),
            approval_modes: Some(modes(attempt, tool, tool.declared_mode())),
            repeats: None,
        })
    }
}

/// Decides about a request that another run of the family may have made: it is served, or sent with this key.
fn made_before(attempt: &Attempt, call: &Outgoing, intent: &CallIntent) -> Result<PriorCall, Stop> {
    let shown = || ApprovedCall {
        tool: intent.tool.clone(),
        tool_digest: ContentHash::of_bytes(PROXY.as_bytes()),
        arguments: arguments(call),
    };
    let unwritten = |error: StoreError| stop(StopClass::Cancelled, lost(attempt, &error).message);
    match earlier::settle(attempt, intent, shown).map_err(unwritten)? {
        PriorCall::Parked => Err(stop(StopClass::Waiting, "this request waits for a person")),
        PriorCall::Refused(failure) => Err(stop(StopClass::Policy, earlier::refused(attempt, *failure).message)),
        before => Ok(before),
    }
}

/// A request as a call has it: headers and body by their hashes.
fn arguments(call: &Outgoing) -> Value {
    json!({ "method": call.method, "url": call.url, "headers": call.headers_hash, "body": call.body_sha256 })
}

/// Records a refusal, and returns it for the client.
fn refused(attempt: &Attempt, failure: StepFailure, message: String) -> Stop {
    let error = refuse(attempt, failure, BridgeError::new(BridgeErrorKind::Denied, message));
    stop(if error.kind == BridgeErrorKind::Denied { StopClass::Policy } else { StopClass::Cancelled }, error.message)
}

/// Returns a denial in words; none if the request was allowed.
pub(crate) fn denial(decision: &EgressDecision, stated: Option<&str>) -> Option<String> {
    let why = match decision.verdict {
        EgressVerdict::HostNotListed => "no rule allows this scheme, host and port",
        EgressVerdict::PathNotListed => "no rule allows the path",
        EgressVerdict::MethodNotListed => "no rule allows the method",
        EgressVerdict::PrivateAddress => "the host is at an address that is not for everyone",
        EgressVerdict::Unresolved => "the host has no address",
        EgressVerdict::NamesDisagree => "host, server name and tunnel do not agree",
        // Only what was found says which part of it is at fault.
        EgressVerdict::Malformed => stated.unwrap_or("the request cannot be read in one way only"),
        EgressVerdict::OverBudget => "the budget is spent",
        EgressVerdict::Allowed | EgressVerdict::Learned => return None,
    };
    Some(format!("{} was denied: {}", shown_name(&deed_reach::spelled(decision)), shown_name(why)))
}

fn denied(decision: &EgressDecision, why: Option<&str>) -> StepFailure {
    let message = denial(decision, why).invariant("a decision that denies says why");
    let class = match decision.verdict {
        EgressVerdict::OverBudget => return fault(FailureClass::BudgetExhaustion, codes::BUDGET_SPENT, message),
        EgressVerdict::Unresolved => FailureClass::ToolBridge,
        _ => FailureClass::PolicyViolation,
    };
    fault(class, codes::EGRESS_DENIED, message).about(decision.host.clone()).help(denial_help(decision))
}

/// The fix for a request that was denied. What cannot be read in one way only, no rule allows.
pub(crate) fn denial_help(decision: &EgressDecision) -> &'static str {
    match decision.verdict {
        EgressVerdict::Malformed => {
            "no rule allows it: change the request, such as its URL or the header that is named"
        }
        // No rule and no learning run lets these pass.
        EgressVerdict::PrivateAddress | EgressVerdict::Unresolved => {
            "if the host is meant, give its address: `deed run --resolve NAME=ADDRESS`"
        }
        _ => "list what is needed under `egress` of the step; `deed run --learn-egress` writes such a list",
    }
}

/// Returns the price of a request, as its rule has it.
fn price(attempt: &Attempt, call: &Outgoing) -> Option<u64> {
    attempt.rules().rules().get(call.rule?)?.price_micros
}

fn keep(attempt: &Attempt, value: &Value) -> Result<CallOutcome, Stop> {
    kept::keep(attempt, value).map_err(|unkept| match unkept {
        KeepError::NotCanonical(why) => stop(StopClass::Cancelled, why),
        KeepError::Store(error) => stop(StopClass::Cancelled, lost(attempt, &error).message),
    })
}

fn replay(attempt: &Attempt, answer: &CallAnswer) -> Result<BeginOutcome, Stop> {
    let broken = |why: String| stop(StopClass::OutcomeUnknown, format!("the stored answer cannot be used: {why}"));
    let value = match &answer.outcome {
        CallOutcome::Result { value } => value.clone(),
        CallOutcome::Stored { sha256 } => kept::load(attempt, sha256).map_err(broken)?,
        CallOutcome::Failed { message, .. } => return Err(broken(message.clone())),
    };
    let part = |name: &str| value.get(name).cloned();
    match (part("response"), part("error")) {
        (Some(response), _) => {
            serde_json::from_value(response).map(BeginOutcome::Replay).map_err(|error| broken(error.to_string()))
        }
        (None, Some(error)) => {
            serde_json::from_value(error).map(BeginOutcome::ReplayFailure).map_err(|error| broken(error.to_string()))
        }
        (None, None) => Err(broken("it is empty".to_owned())),
    }
}
