//! One call, from the request to the recorded answer:
//! allowed? → decided → paid for → approved → made → proved → recorded.

use super::earlier::{self, PriorCall};
use super::error::BridgeError;
use super::kept::{self, KeepError};
use super::key::{arguments_hash, call_key};
use super::tools::{self, CallResult, JudgedItem, PreparedCall, Tool};
use crate::attempt::Attempt;
use crate::budget::Reservation;
use crate::conceal::shown_name;
use crate::fault::{FailureExt, fault};
use crate::gates::{self, GateAnswer};
use crate::spans;
use deed_canon::{ContentHash, to_canonical};
use deed_diag::{Code, Invariant as _, codes, did_you_mean};
use deed_logic::{Mode, Program};
use deed_model::{
    ApprovalMode, ApprovedCall, BridgeErrorKind, Budget, CallAnswer, CallGate, CallIdentity, CallIntent, CallOutcome,
    FailureCause, FailureClass, RunEvent, StepFailure, ToolApprovalModes,
};
use deed_ports::{StoreError, Wait};
use serde_json::{Value, json};
use std::sync::Arc;
use tracing::debug;

/// Makes a call for the code of an attempt, in a span of its own.
pub(crate) fn call(attempt: &Arc<Attempt>, name: &str, arguments: Value) -> Result<Value, BridgeError> {
    // The name of a tool that does not exist is text of the code, so it does not become a field.
    let tool = Tool::named(name).map_or("unknown", Tool::id);
    spans::call(attempt, tool).in_scope(|| {
        let answered = make(attempt, name, arguments);
        match &answered {
            Ok(_) => debug!("answered"),
            Err(error) => debug!(error = error.kind.as_str(), "failed"),
        }
        answered
    })
}

fn make(attempt: &Arc<Attempt>, name: &str, arguments: Value) -> Result<Value, BridgeError> {
    let (tool, arguments) = admitted(attempt, name, arguments)?;
    if tool == Tool::ProgressReport {
        return report(attempt, &arguments);
    }
    let prepared =
        tools::prepare(attempt, tool, &arguments).map_err(|error| unprepared(attempt, tool, &arguments, error))?;
    let mut intent =
        intent(attempt, tool, &arguments, &prepared).map_err(|error| unprepared(attempt, tool, &arguments, error))?;
    let known = attempt.run.state().step(&intent.step).and_then(|step| step.calls.get(&intent.key).cloned());
    let unmade = known.is_none();
    if let Some(state) = known.filter(|state| !state.is_made_again(attempt.number)) {
        return match &state.answer {
            Some(answer) => served(attempt, tool, &prepared, answer),
            None => Err(unknown(attempt, &intent)),
        };
    }
    ensure_running(attempt)?;
    // A call that an earlier run made goes out with the key that it had there.
    let mut key = intent.key.clone();
    if unmade {
        match made_before(attempt, tool, &arguments, &intent)? {
            PriorCall::Answered(answer) => return served(attempt, tool, &prepared, &answer),
            PriorCall::Sent(earlier) => {
                key.clone_from(&earlier.key);
                intent.repeats = Some(earlier);
            }
            PriorCall::Unmade | PriorCall::Parked | PriorCall::Refused(_) => {}
        }
    }
    let reservation = reserved(attempt, tool, &prepared, &intent)?;
    approve(attempt, (tool, &prepared.escalations), &arguments, &intent.key)?;
    ensure_running(attempt)?;
    perform(attempt, &prepared, intent, &key, reservation)
}

/// The tool of a call that the contract allows, and its arguments in the form that rules, gates, prices and keys speak of.
fn admitted(attempt: &Arc<Attempt>, name: &str, arguments: Value) -> Result<(Tool, Value), BridgeError> {
    if tools::is_revealing(name, &arguments) {
        let message = "the method or the host of the request looks like a secret";
        let failure = fault(FailureClass::PolicyViolation, codes::EGRESS_DENIED, message);
        return Err(refuse(attempt, failure, BridgeError::new(BridgeErrorKind::Denied, message)));
    }
    let arguments = tools::normal(attempt.rules(), name, arguments);
    let tool = allowed(attempt, name, &arguments)?;
    Ok((tool, arguments))
}

/// Reports progress, which costs nothing and has no outcome that is recorded.
fn report(attempt: &Arc<Attempt>, arguments: &Value) -> Result<Value, BridgeError> {
    let tool = Tool::ProgressReport;
    if !attempt.reports_too_much()
        && let Some(unread) = attempt.unread_report(arguments)
    {
        return Ok(json!({ "unread": unread }));
    }
    let prepared = tools::prepare(attempt, tool, arguments)?;
    if attempt.reported_too_much() {
        let message = "progress was reported too often";
        let failure = fault(FailureClass::PolicyViolation, codes::TOOL_NOT_ALLOWED, message).about(tool.id());
        return Err(refuse(attempt, failure, BridgeError::new(BridgeErrorKind::NotAllowed, message)));
    }
    tools::execute(attempt, &prepared, "", &mut Vec::new()).map(|made| made.value).map_err(|failed| failed.error)
}

/// Reserves the most that a call can cost.
fn reserved(
    attempt: &Attempt,
    tool: Tool,
    prepared: &PreparedCall,
    intent: &CallIntent,
) -> Result<Reservation, BridgeError> {
    attempt.run.ledger.reserve(&attempt.account, &intent.reserved).map_err(|short| {
        let failure = fault(FailureClass::BudgetExhaustion, codes::BUDGET_SPENT, short.to_string()).about(tool.id());
        let error = BridgeError::new(BridgeErrorKind::Budget, short.to_string());
        refuse_about(attempt, unjudged(prepared), failure, error)
    })
}

/// Makes a call that was decided, paid for and approved, and records it and its answer.
fn perform(
    attempt: &Arc<Attempt>,
    prepared: &PreparedCall,
    intent: CallIntent,
    key: &str,
    reservation: Reservation,
) -> Result<Value, BridgeError> {
    let mut events = vec![RunEvent::CallBegan { call: intent.clone() }];
    if !prepared.is_local() {
        // An effect that could happen twice is on disk before it can happen once.
        let wait = if prepared.repeatable { Wait::Ordered } else { Wait::Durable };
        record(attempt, std::mem::take(&mut events), wait)?;
    }
    let mut more = Vec::new();
    let made = tools::execute(attempt, prepared, key, &mut more);
    if matches!(&made, Err(failed) if failed.error.kind == BridgeErrorKind::Journal) {
        return made.map(|made| made.value).map_err(|failed| failed.error);
    }
    let (outcome, spent, settled, proof) = match &made {
        Ok(CallResult { value, spent, settled, proof }) => {
            (keep(attempt, value)?, counted(*spent), *settled, proof.clone())
        }
        Err(failed) => {
            let BridgeError { kind, message } = failed.error.clone();
            let outcome = CallOutcome::Failed { kind, message };
            (outcome, counted(failed.spent), failed.settled, Value::Null)
        }
    };
    let answer = CallAnswer { step: intent.step, key: intent.key, outcome, spent, proof };
    events.push(RunEvent::CallEnded { answer: answer.clone() });
    // A local call is made again if a crash loses its record. Everything that is on disk has all before it on disk
    // too, so nothing that follows from it can be without it.
    let wait = if prepared.is_local() { Wait::Ordered } else { Wait::Durable };
    // Settled before observers hear of it: one that panics must not give back what was spent.
    reservation.settle(&spent.less(settled));
    drop(more);
    record(attempt, events, wait)?;
    attempt.answered(&answer.key, &spent);
    match made {
        Ok(made) => {
            judge(attempt, prepared, &made.value);
            Ok(made.value)
        }
        Err(unanswered) => {
            if let Some(failure) = unanswered.failure {
                failed(attempt, prepared, failure);
            }
            Err(unanswered.error)
        }
    }
}

/// The item that a call has judged under `block`, if it is an evaluation.
fn unjudged(prepared: &PreparedCall) -> Option<JudgedItem> {
    prepared.item.clone().filter(|_| prepared.blocks)
}

/// Notes the failure of a call that was made. An evaluation that blocks fails the step, unless its item is judged later.
fn failed(attempt: &Attempt, prepared: &PreparedCall, failure: StepFailure) {
    match unjudged(prepared) {
        Some(item) => attempt.not_judged(item, failure),
        None => attempt.trouble(failure, prepared.blocks),
    }
}

/// Records an evaluation whose arguments are not valid: code may catch the refusal and continue, as if there had been a
/// verdict.
fn unprepared(attempt: &Attempt, tool: Tool, arguments: &Value, error: BridgeError) -> BridgeError {
    if tool != Tool::ArtifactEvaluate {
        return error;
    }
    let message = format!("nothing was judged: {}", error.message);
    let failure = fault(FailureClass::OutputShape, codes::TOOL_FAILED, message).about(tool.id());
    refuse_about(attempt, tools::unjudged(attempt, tool, arguments), failure, error)
}

/// Decides about a call that another run of the family may have made: it is served, or sent with this key.
fn made_before(
    attempt: &Attempt,
    tool: Tool,
    arguments: &Value,
    intent: &CallIntent,
) -> Result<PriorCall, BridgeError> {
    let shown =
        || ApprovedCall { tool: tool.id().to_owned(), tool_digest: tool_digest(tool), arguments: arguments.clone() };
    match earlier::settle(attempt, intent, shown).map_err(|error| lost(attempt, &error))? {
        PriorCall::Parked => Err(BridgeError::new(BridgeErrorKind::Parked, "this call waits for a person")),
        PriorCall::Refused(failure) => Err(earlier::refused(attempt, *failure)),
        before => Ok(before),
    }
}

/// The hash of a tool's definition, to which an approval is bound.
fn tool_digest(tool: Tool) -> ContentHash {
    ContentHash::of_bytes(&to_canonical(&tools::definition(tool)).invariant("the definition of a tool is JSON"))
}

/// Refuses calls of code that is being stopped: it may have caught an earlier refusal, and continued.
fn ensure_running(attempt: &Attempt) -> Result<(), BridgeError> {
    if attempt.is_over() {
        Err(BridgeError::new(BridgeErrorKind::Stopped, "the code is being stopped"))
    } else {
        Ok(())
    }
}

/// Adds the call itself to its cost, besides further calls that it made.
fn counted(spent: Budget) -> Budget {
    Budget { governed_calls: Some(spent.governed_calls.unwrap_or_default().max(1)), ..spent }
}

/// The tool of a name, if the contract has it. The same was decided when the plan was compiled.
fn allowed(attempt: &Attempt, name: &str, arguments: &Value) -> Result<Tool, BridgeError> {
    let needs = &attempt.contract.allowed_tool_ids;
    let Some(tool) = Tool::meant(name, arguments) else {
        let like = did_you_mean(name, Tool::ALL.iter().map(|tool| tool.id()));
        let message = format!("unknown tool `{}`", shown_name(&name.escape_debug().to_string()));
        let error = BridgeError::new(
            BridgeErrorKind::UnknownTool,
            like.clone().map_or(message.clone(), |like| format!("{message}; {like}")),
        );
        let failure = fault(FailureClass::PolicyViolation, codes::TOOL_NOT_ALLOWED, message);
        return Err(refuse(attempt, StepFailure { help: like, ..failure }, error));
    };
    let capability = tool.capability();
    if let Some(needed) = capability.filter(|capability| !needs.iter().any(|need| need == capability)) {
        let message = match tool.id() {
            id if id == needed => format!("the contract does not have `{needed}`"),
            id => format!("the contract does not have `{needed}`, which `{id}` needs"),
        };
        let failure = fault(FailureClass::PolicyViolation, codes::TOOL_NOT_ALLOWED, message.clone())
            .about(tools::asked(tool, arguments))
            .help(format!("list `{needed}` under `tool_needs` of the step"));
        let error = BridgeError::new(BridgeErrorKind::NotAllowed, message);
        return Err(refuse_about(attempt, tools::unjudged(attempt, tool, arguments), failure, error));
    }
    Ok(tool)
}

/// Refuses a call, and records the refusal: code may catch it, continue and succeed. Code that is refused too often is
/// stopped.
pub(in crate::bridge) fn refuse(attempt: &Attempt, failure: StepFailure, error: BridgeError) -> BridgeError {
    refuse_about(attempt, None, failure, error)
}

/// Refuses a call by which an item would have been judged under `block`: no verdict is not a yes.
fn refuse_about(
    attempt: &Attempt,
    unjudged: Option<JudgedItem>,
    failure: StepFailure,
    error: BridgeError,
) -> BridgeError {
    if let Err(over) = ensure_running(attempt) {
        return over;
    }
    let too_many = attempt.denied();
    match unjudged {
        Some(item) if !too_many => attempt.not_judged(item, failure.clone()),
        _ => attempt.trouble(failure.clone(), too_many),
    }
    if too_many {
        attempt.stop();
    }
    let step = attempt.contract.step_id.clone();
    match record(attempt, vec![RunEvent::CallRefused { step, failure }], Wait::Ordered) {
        Ok(()) => error,
        Err(unwritten) => unwritten,
    }
}

fn intent(
    attempt: &Attempt,
    tool: Tool,
    arguments: &Value,
    prepared: &PreparedCall,
) -> Result<CallIntent, BridgeError> {
    let bad = |error: deed_canon::CanonError| {
        BridgeError::new(BridgeErrorKind::BadArguments, format!("the arguments cannot be used: {error}"))
    };
    let arguments_hash = arguments_hash(prepared.identity.as_ref().unwrap_or(arguments)).map_err(bad)?;
    let occurrence = attempt.occurrence(tool.id(), &arguments_hash.to_string());
    let identity = CallIdentity {
        run_id: attempt.run.calls_as().to_owned(),
        contract_hash: attempt.contract.spec_hash,
        tool: tool.id().to_owned(),
        arguments_hash,
        occurrence,
    };
    Ok(CallIntent {
        step: attempt.contract.step_id.clone(),
        key: call_key(&identity).map_err(bad)?,
        tool: identity.tool,
        arguments_hash,
        occurrence,
        reserved: Budget { governed_calls: Some(1), ..prepared.most },
        summary: prepared.summary.clone(),
        repeatable: prepared.repeatable,
        effect: prepared.effect.map(|effect| earlier::counted(attempt, effect)),
        approval_modes: Some(modes(attempt, tool, tool.effective_mode(prepared))),
        repeats: None,
    })
}

/// The modes of a call: of the tool, of this use of it, and of what the contract allows.
pub(super) fn modes(attempt: &Attempt, tool: Tool, approval_mode: ApprovalMode) -> ToolApprovalModes {
    let needs = &attempt.contract.allowed_tool_ids;
    let safety_mode = Tool::ceiling(|capability| needs.iter().any(|need| need == capability));
    ToolApprovalModes { declared_mode: tool.declared_mode(), approval_mode, safety_mode }
}

/// Fails the step over an effect whose outcome is unknown, since it must not happen twice.
fn unknown(attempt: &Attempt, intent: &CallIntent) -> BridgeError {
    let message = format!("`{}` was under way when its process ended, and its outcome is unknown", intent.tool);
    let failure =
        fault(FailureClass::ToolBridge, codes::OUTCOME_UNKNOWN, message.clone()).about(intent.summary.clone()).help(
            "look at the other side; where it does nothing twice that has the same `Idempotency-Key`, \
         say `repeat: by_key` in the rule",
        );
    attempt.trouble(failure, true);
    // The step has failed: nothing more is asked, and nothing more happens.
    attempt.stop();
    BridgeError::new(BridgeErrorKind::OutcomeUnknown, message)
}

/// Uses the approvals that exactly this call needs. Where one is missing, the code is parked until it is given.
fn approve(
    attempt: &Attempt,
    (tool, escalations): (Tool, &[CallGate]),
    arguments: &Value,
    key: &str,
) -> Result<(), BridgeError> {
    let gates = attempt.contract.execution_contract.call_gates.iter();
    let own = gates.filter(|gate| tool.is_gated_by(&gate.tool)).filter(|gate| concerns(gate, arguments));
    let concerned: Vec<&CallGate> = own.chain(escalations).collect();
    let subject = |(place, gate): (usize, &&CallGate)| {
        let call =
            ApprovedCall { tool: tool.id().to_owned(), tool_digest: tool_digest(tool), arguments: arguments.clone() };
        let mut subject = gates::subject_of_call(&attempt.run, &attempt.contract, gate, key, call);
        // Each of several gates before one call has a name of its own.
        if place > 0 {
            subject.gate_id = format!("{}:{place}", subject.gate_id);
        }
        subject
    };
    let step = &attempt.contract.step_id;
    for subject_of_gate in concerned.iter().enumerate().map(subject) {
        let gate_id = subject_of_gate.gate_id.clone();
        match gates::ask(&attempt.run, step, subject_of_gate, None).map_err(|error| lost(attempt, &error))? {
            GateAnswer::Open => {}
            GateAnswer::Pending => {
                for other in concerned.iter().enumerate().map(subject).filter(|other| other.gate_id != gate_id) {
                    gates::announce(&attempt.run, step, other, None).map_err(|error| lost(attempt, &error))?;
                }
                attempt.park(&gate_id);
                return Err(BridgeError::new(BridgeErrorKind::Parked, "this call waits for a person"));
            }
            GateAnswer::Refused(failure) => {
                let message = failure.message.clone();
                attempt.trouble(failure, true);
                // The step has failed: nothing more is asked, and nothing more happens.
                attempt.stop();
                return Err(BridgeError::new(BridgeErrorKind::Rejected, message));
            }
        }
    }
    Ok(())
}

/// Returns whether a gate concerns a call. A rule that errs holds.
fn concerns(gate: &CallGate, arguments: &Value) -> bool {
    let Some(rule) = &gate.when else { return true };
    let Ok(program) = Program::compile(rule, Mode::Strict) else { return true };
    program.test(&json!({ "arguments": arguments })).unwrap_or(true)
}

/// Serves a recorded answer. A file that the call wrote is written again: the folders are new.
fn served(
    attempt: &Arc<Attempt>,
    tool: Tool,
    prepared: &PreparedCall,
    answer: &CallAnswer,
) -> Result<Value, BridgeError> {
    attempt.answered(&answer.key, &answer.spent);
    if tool == Tool::ArtifactPut && !matches!(answer.outcome, CallOutcome::Failed { .. }) {
        tools::execute(attempt, prepared, &answer.key, &mut Vec::new()).map_err(|failed| {
            failed.failure.into_iter().for_each(|failure| attempt.trouble(failure, true));
            failed.error
        })?;
    }
    let value = match &answer.outcome {
        CallOutcome::Result { value } => value.clone(),
        CallOutcome::Stored { sha256 } => load(attempt, sha256)?,
        CallOutcome::Failed { kind, message } => return Err(failed_before(attempt, prepared, kind, message)),
    };
    judge(attempt, prepared, &value);
    Ok(value)
}

/// Serves a recorded failure in the same words. An outcome that was unknown stays unknown.
fn failed_before(attempt: &Attempt, prepared: &PreparedCall, kind: &BridgeErrorKind, message: &str) -> BridgeError {
    let (kind, class, code) = recorded_failure(kind);
    let lost = kind == BridgeErrorKind::OutcomeUnknown;
    let failure = fault(class, code, message);
    if lost {
        attempt.trouble(failure, true);
        attempt.stop();
    } else {
        failed(attempt, prepared, failure);
    }
    BridgeError::new(kind, message)
}

/// The failure that the kind of a recorded error stands for. A kind that no tool of this version answers with is served as
/// `failed`.
fn recorded_failure(kind: &BridgeErrorKind) -> (BridgeErrorKind, FailureClass, Code) {
    let (class, code) = match kind {
        BridgeErrorKind::OutcomeUnknown => (FailureClass::ToolBridge, codes::OUTCOME_UNKNOWN),
        BridgeErrorKind::Denied => (FailureClass::PolicyViolation, codes::EGRESS_DENIED),
        BridgeErrorKind::Budget => (FailureClass::BudgetExhaustion, codes::BUDGET_SPENT),
        BridgeErrorKind::Unfit => (FailureClass::OutputShape, codes::TOOL_FAILED),
        BridgeErrorKind::NoModel => (FailureClass::OutputShape, codes::EVALUATOR_NOT_CONFIGURED),
        BridgeErrorKind::Credential => (FailureClass::MissingArtifact, codes::SECRET_MISSING),
        BridgeErrorKind::Failed | BridgeErrorKind::Unavailable => (FailureClass::ToolBridge, codes::TOOL_FAILED),
        BridgeErrorKind::BadRequest
        | BridgeErrorKind::TooLarge
        | BridgeErrorKind::NotFound
        | BridgeErrorKind::Internal
        | BridgeErrorKind::UnknownTool
        | BridgeErrorKind::NotAllowed
        | BridgeErrorKind::BadArguments
        | BridgeErrorKind::BadResult
        | BridgeErrorKind::Parked
        | BridgeErrorKind::Rejected
        | BridgeErrorKind::Stopped
        | BridgeErrorKind::LostAnswer
        | BridgeErrorKind::Journal
        | BridgeErrorKind::Other(_) => {
            return (BridgeErrorKind::Failed, FailureClass::ToolBridge, codes::TOOL_FAILED);
        }
    };
    (kind.clone(), class, code)
}

/// Fails the step over a verdict that blocks, even if its code ignores it. Any verdict settles what was not judged before.
fn judge(attempt: &Attempt, prepared: &PreparedCall, value: &Value) {
    if let Some(item) = unjudged(prepared) {
        attempt.judged(&item);
    }
    if prepared.blocks && value.get("passes") == Some(&Value::Bool(false)) {
        let unmet = value.get("criteria").and_then(Value::as_array).into_iter().flatten();
        let unmet: Vec<&str> = unmet
            .filter(|criterion| criterion.get("met") == Some(&Value::Bool(false)))
            .filter_map(|criterion| criterion.get("id")?.as_str())
            .collect();
        let message = format!("the evaluator says no: {}", unmet.join(", "));
        let failure = fault(FailureClass::SemanticVerdict, codes::EVALUATOR_REJECTED, message);
        attempt.trouble(
            failure.help("the verdict and its reasons are in the journal: `deed runs events RUN --kind call_ended`"),
            true,
        );
    }
}

fn keep(attempt: &Attempt, value: &Value) -> Result<CallOutcome, BridgeError> {
    kept::keep(attempt, value).map_err(|unkept| match unkept {
        KeepError::NotCanonical(why) => BridgeError::new(BridgeErrorKind::BadResult, why),
        KeepError::Store(error) => lost(attempt, &error),
    })
}

fn load(attempt: &Attempt, sha256: &ContentHash) -> Result<Value, BridgeError> {
    kept::load(attempt, sha256).map_err(|message| {
        let failure = fault(FailureClass::ToolBridge, codes::TOOL_FAILED, message.clone());
        attempt.trouble(failure.because(FailureCause::StaleContinuation), true);
        BridgeError::new(BridgeErrorKind::LostAnswer, message)
    })
}

pub(super) fn record(attempt: &Attempt, events: Vec<RunEvent>, wait: Wait) -> Result<(), BridgeError> {
    attempt.run.record_all(events, wait).map_err(|error| lost(attempt, &error))
}

/// Stops the code where the journal cannot be written: nothing may happen that is not recorded, and nothing is decided.
pub(crate) fn lost(attempt: &Attempt, error: &StoreError) -> BridgeError {
    attempt.give_up(error);
    BridgeError::new(BridgeErrorKind::Journal, "what happens cannot be written down")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds in older journals are served as they are; a kind of another version is served as `failed`.
    #[test]
    fn recorded_kinds_keep_their_meaning() {
        let expected = [
            ("outcome_unknown", "outcome_unknown", codes::OUTCOME_UNKNOWN),
            ("denied", "denied", codes::EGRESS_DENIED),
            ("budget", "budget", codes::BUDGET_SPENT),
            ("unfit", "unfit", codes::TOOL_FAILED),
            ("no_model", "no_model", codes::EVALUATOR_NOT_CONFIGURED),
            ("credential", "credential", codes::SECRET_MISSING),
            ("failed", "failed", codes::TOOL_FAILED),
            ("unavailable", "unavailable", codes::TOOL_FAILED),
            ("parked", "failed", codes::TOOL_FAILED),
            ("quota_of_the_future", "failed", codes::TOOL_FAILED),
        ];
        for (written, served, code) in expected {
            let (kind, _, found) = recorded_failure(&BridgeErrorKind::from(written));
            assert_eq!((kind.as_str(), found), (served, code), "{written}");
        }
    }
}
