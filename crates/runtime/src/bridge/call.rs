//! One call, from the question to the written answer:
//! allowed? → decided → paid for → approved → made → proved → written down.

use super::earlier::{self, Before};
use super::kept::{self, Unkept};
use super::key::{arguments_hash, call_key};
use super::tools::{self, Made, Prepared, Tool};
use crate::attempt::Attempt;
use crate::codes::{
    BUDGET_SPENT, EGRESS_DENIED, NO_EVALUATOR_MODEL, NO_SECRET, OUTCOME_UNKNOWN, TOOL_FAILED, TOOL_NOT_ALLOWED, VERDICT,
};
use crate::conceal::told;
use crate::fault::{Told, fault};
use crate::gates::{self, Asked};
use crate::state;
use deed_canon::{ContentHash, to_canonical};
use deed_diag::{Invariant as _, did_you_mean};
use deed_logic::{Mode, Program};
use deed_model::{
    ApprovedCall, Budget, CallAnswer, CallGate, CallIdentity, CallIntent, CallOutcome, FailureCause, FailureClass,
    RunEvent, StepFailure,
};
use deed_ports::{StoreError, Wait};
use serde_json::{Value, json};
use std::sync::Arc;

/// The word for what could not be written down, so that nothing of it is.
const UNWRITTEN: &str = "journal";

/// Why a call gave nothing, as code sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct No {
    /// A word that code can match on.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

impl No {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// Makes a call for the code of an attempt.
pub(crate) fn call(attempt: &Arc<Attempt>, name: &str, arguments: Value) -> Result<Value, No> {
    // One way of writing a request, so that rules, gates, prices and keys all speak of what is sent.
    let arguments = tools::normal(name, arguments);
    let tool = allowed(attempt, name, &arguments)?;
    let prepared = tools::prepare(attempt, tool, &arguments).map_err(|no| unprepared(attempt, tool, no))?;
    if tool == Tool::ProgressReport {
        if attempt.reports_too_much() {
            let message = "progress was reported too often";
            let failure = fault(FailureClass::PolicyViolation, TOOL_NOT_ALLOWED, message).about(tool.id());
            return Err(refuse(attempt, failure, No::new("not_allowed", message)));
        }
        return tools::execute(attempt, &prepared, "", &mut Vec::new())
            .map(|made| made.value)
            .map_err(|failed| failed.no);
    }
    let mut intent = intent(attempt, tool, &arguments, &prepared)?;
    let known = attempt.run.state().step(&intent.step).and_then(|step| step.calls.get(&intent.key).cloned());
    let unmade = known.is_none();
    if let Some(state) = known.filter(|state| !state.is_made_again(attempt.number)) {
        return match &state.answer {
            Some(answer) => served(attempt, tool, &prepared, answer),
            None => Err(unknown(attempt, &intent)),
        };
    }
    goes_on(attempt)?;
    // A call that an earlier run made goes out with the key that it had there.
    let mut key = intent.key.clone();
    if unmade {
        match made_before(attempt, tool, &arguments, &intent)? {
            Before::Answered(answer) => return served(attempt, tool, &prepared, &answer),
            Before::Sent(earlier) => {
                key.clone_from(&earlier.key);
                intent.repeats = Some(earlier);
            }
            Before::Unmade | Before::Parked | Before::Refused(_) => {}
        }
    }
    let reservation = attempt.run.ledger.reserve(&attempt.account, &intent.reserved).map_err(|short| {
        let failure = fault(FailureClass::BudgetExhaustion, BUDGET_SPENT, short.to_string()).about(tool.id());
        refuse(attempt, failure, No::new("budget", short.to_string()))
    })?;
    approve(attempt, tool, &arguments, &intent.key)?;
    goes_on(attempt)?;
    let mut events = vec![RunEvent::CallBegan { call: intent.clone() }];
    if !prepared.is_local() {
        // An effect that could happen twice is on disk before it can happen once.
        let wait = if prepared.repeatable { Wait::Ordered } else { Wait::Durable };
        record(attempt, std::mem::take(&mut events), wait)?;
    }
    let mut more = Vec::new();
    let made = tools::execute(attempt, &prepared, &key, &mut more);
    if matches!(&made, Err(failed) if failed.no.kind == UNWRITTEN) {
        return made.map(|made| made.value).map_err(|failed| failed.no);
    }
    let (outcome, spent, proof) = match &made {
        Ok(Made { value, spent, proof }) => (keep(attempt, value)?, counted(*spent), proof.clone()),
        Err(failed) => {
            let outcome = CallOutcome::Failed { kind: failed.no.kind.to_owned(), message: failed.no.message.clone() };
            (outcome, counted(failed.spent), Value::Null)
        }
    };
    let answer = CallAnswer { step: intent.step, key: intent.key, outcome, spent, proof };
    events.push(RunEvent::CallEnded { answer: answer.clone() });
    // What was done here and now is made again if a crash loses it. Everything that is on disk has all before it on disk
    // too, so nothing that follows from it can be without it.
    let wait = if prepared.is_local() { Wait::Ordered } else { Wait::Durable };
    record(attempt, events, wait)?;
    reservation.settle(&spent);
    drop(more);
    attempt.answered(&answer.key, &spent);
    match made {
        Ok(made) => {
            judge(attempt, &prepared, &made.value);
            Ok(made.value)
        }
        Err(failed) => {
            if let Some(failure) = failed.failure {
                attempt.trouble(failure, prepared.blocks);
            }
            Err(failed.no)
        }
    }
}

/// An evaluation whose arguments make no sense is written down: code may catch the refusal and continue, as if there had
/// been a verdict.
fn unprepared(attempt: &Attempt, tool: Tool, no: No) -> No {
    if tool != Tool::ArtifactEvaluate {
        return no;
    }
    let message = format!("nothing was judged: {}", no.message);
    let failure = fault(FailureClass::OutputShape, TOOL_FAILED, message).about(tool.id());
    refuse(attempt, failure, no)
}

/// What is done with a call that another run of the family may have made: served, or sent with this key.
fn made_before(attempt: &Attempt, tool: Tool, arguments: &Value, intent: &CallIntent) -> Result<Before, No> {
    let shown =
        || ApprovedCall { tool: tool.id().to_owned(), tool_digest: tool_digest(tool), arguments: arguments.clone() };
    match earlier::settle(attempt, intent, shown).map_err(|error| lost(attempt, &error))? {
        Before::Parked => Err(No::new("parked", "this call waits for a person")),
        Before::Refused(failure) => Err(earlier::refused(attempt, *failure)),
        before => Ok(before),
    }
}

/// The hash of what a tool takes and gives, to which an approval is bound.
fn tool_digest(tool: Tool) -> ContentHash {
    ContentHash::of_bytes(&to_canonical(&tools::definition(tool)).invariant("the definition of a tool is JSON"))
}

/// Nothing new is done for code that is being stopped: it may have caught what it was told, and gone on.
fn goes_on(attempt: &Attempt) -> Result<(), No> {
    if attempt.is_over() { Err(No::new("stopped", "the code is being stopped")) } else { Ok(()) }
}

/// Whatever else a call costs, it is one.
fn counted(spent: Budget) -> Budget {
    Budget { governed_calls: Some(1), ..spent }
}

/// The tool of a name, if the contract has it. The same was decided when the plan was compiled.
fn allowed(attempt: &Attempt, name: &str, arguments: &Value) -> Result<Tool, No> {
    let needs = &attempt.contract.allowed_tool_ids;
    let Some(tool) = Tool::meant(name, arguments) else {
        let like = did_you_mean(name, Tool::ALL.iter().map(|tool| tool.id()));
        let message = format!("there is no tool `{}`", told(&name.escape_debug().to_string()));
        let no = No::new("unknown_tool", like.clone().map_or(message.clone(), |like| format!("{message}; {like}")));
        let failure = fault(FailureClass::PolicyViolation, TOOL_NOT_ALLOWED, message);
        return Err(refuse(attempt, StepFailure { help: like, ..failure }, no));
    };
    let capability = tool.capability();
    if capability.is_some_and(|capability| !needs.iter().any(|need| need == capability)) {
        let needed = capability.unwrap_or_default();
        let message = match tool.id() {
            id if id == needed => format!("the contract does not have `{needed}`"),
            id => format!("the contract does not have `{needed}`, which `{id}` needs"),
        };
        let failure = fault(FailureClass::PolicyViolation, TOOL_NOT_ALLOWED, message.clone())
            .about(tools::asked(tool, arguments))
            .help(format!("list `{needed}` under `tool_needs` of the step"));
        return Err(refuse(attempt, failure, No::new("not_allowed", message)));
    }
    Ok(tool)
}

/// Says no, and writes it down: code may catch it, go on and succeed, and nobody would know. Code that does not take no
/// for an answer is stopped.
pub(in crate::bridge) fn refuse(attempt: &Attempt, failure: StepFailure, no: No) -> No {
    if let Err(over) = goes_on(attempt) {
        return over;
    }
    let too_many = attempt.denied();
    attempt.trouble(failure.clone(), too_many);
    if too_many {
        attempt.stop();
    }
    let step = attempt.contract.step_id.clone();
    match record(attempt, vec![RunEvent::CallRefused { step, failure }], Wait::Ordered) {
        Ok(()) => no,
        Err(unwritten) => unwritten,
    }
}

fn intent(attempt: &Attempt, tool: Tool, arguments: &Value, prepared: &Prepared) -> Result<CallIntent, No> {
    let bad =
        |error: deed_canon::CanonError| No::new("bad_arguments", format!("the arguments cannot be used: {error}"));
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
        repeats: None,
    })
}

/// Nobody knows whether an effect happened, and it must not happen twice.
fn unknown(attempt: &Attempt, intent: &CallIntent) -> No {
    let message =
        format!("`{}` was under way when its process ended, and nobody knows whether it happened", intent.tool);
    let failure = fault(FailureClass::ToolBridge, OUTCOME_UNKNOWN, message.clone()).about(intent.summary.clone()).help(
        "look at the other side; where it does nothing twice that has the same `Idempotency-Key`, \
         say `repeat: by_key` in the rule",
    );
    attempt.trouble(failure, true);
    // The step has failed: nothing more is asked, and nothing more happens.
    attempt.stop();
    No::new(state::OUTCOME_UNKNOWN, message)
}

/// Whoever has to approve this call has, for exactly this call; otherwise the code is parked until they do.
fn approve(attempt: &Attempt, tool: Tool, arguments: &Value, key: &str) -> Result<(), No> {
    let gates = attempt.contract.execution_contract.call_gates.iter();
    let concerned = gates.filter(|gate| tool.is_gated_by(&gate.tool)).filter(|gate| concerns(gate, arguments));
    for (place, gate) in concerned.enumerate() {
        let tool_digest = tool_digest(tool);
        let call = ApprovedCall { tool: tool.id().to_owned(), tool_digest, arguments: arguments.clone() };
        let mut subject = gates::subject_of_call(&attempt.run, &attempt.contract, gate, key, call);
        // Several gates before one call are asked one after another, each by a name of its own.
        if place > 0 {
            subject.gate_id = format!("{}:{place}", subject.gate_id);
        }
        let gate_id = subject.gate_id.clone();
        match gates::ask(&attempt.run, &attempt.contract.step_id, subject, None)
            .map_err(|error| lost(attempt, &error))?
        {
            Asked::Open => {}
            Asked::Pending => {
                attempt.park(&gate_id);
                return Err(No::new("parked", "this call waits for a person"));
            }
            Asked::Refused(failure) => {
                let message = failure.message.clone();
                attempt.trouble(failure, true);
                // The step has failed: nothing more is asked, and nothing more happens.
                attempt.stop();
                return Err(No::new("rejected", message));
            }
        }
    }
    Ok(())
}

/// Whether a gate concerns a call. A rule that errs holds.
fn concerns(gate: &CallGate, arguments: &Value) -> bool {
    let Some(rule) = &gate.when else { return true };
    let Ok(program) = Program::compile(rule, Mode::Strict) else { return true };
    program.test(&json!({ "arguments": arguments })).unwrap_or(true)
}

/// An answer that was written down before. A file that the call wrote is written again: the folders are new.
fn served(attempt: &Arc<Attempt>, tool: Tool, prepared: &Prepared, answer: &CallAnswer) -> Result<Value, No> {
    attempt.answered(&answer.key, &answer.spent);
    if tool == Tool::ArtifactPut && !matches!(answer.outcome, CallOutcome::Failed { .. }) {
        tools::execute(attempt, prepared, &answer.key, &mut Vec::new()).map_err(|failed| {
            failed.failure.into_iter().for_each(|failure| attempt.trouble(failure, true));
            failed.no
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

/// What failed before fails in the same words; that nobody knows an outcome does not pass by asking again.
fn failed_before(attempt: &Attempt, prepared: &Prepared, kind: &str, message: &str) -> No {
    let known =
        ["denied", "budget", "credential", "failed", "unfit", "no_model", "unavailable", state::OUTCOME_UNKNOWN];
    let kind = known.into_iter().find(|known| *known == kind).unwrap_or("failed");
    let (class, code) = match kind {
        state::OUTCOME_UNKNOWN => (FailureClass::ToolBridge, OUTCOME_UNKNOWN),
        "denied" => (FailureClass::PolicyViolation, EGRESS_DENIED),
        "budget" => (FailureClass::BudgetExhaustion, BUDGET_SPENT),
        "unfit" => (FailureClass::OutputShape, TOOL_FAILED),
        "no_model" => (FailureClass::OutputShape, NO_EVALUATOR_MODEL),
        "credential" => (FailureClass::MissingArtifact, NO_SECRET),
        _ => (FailureClass::ToolBridge, TOOL_FAILED),
    };
    let lost = kind == state::OUTCOME_UNKNOWN;
    attempt.trouble(fault(class, code, message), lost || prepared.blocks);
    if lost {
        attempt.stop();
    }
    No::new(kind, message)
}

/// A verdict that blocks fails the step, whatever its code makes of it.
fn judge(attempt: &Attempt, prepared: &Prepared, value: &Value) {
    if prepared.blocks && value.get("passes") == Some(&Value::Bool(false)) {
        let unmet = value.get("criteria").and_then(Value::as_array).into_iter().flatten();
        let unmet: Vec<&str> = unmet
            .filter(|criterion| criterion.get("met") == Some(&Value::Bool(false)))
            .filter_map(|criterion| criterion.get("id")?.as_str())
            .collect();
        let message = format!("the evaluator says no: {}", unmet.join(", "));
        let failure = fault(FailureClass::SemanticVerdict, VERDICT, message);
        attempt.trouble(
            failure.help("the verdict and its reasons are in the journal: `deed runs events RUN --kind call_ended`"),
            true,
        );
    }
}

fn keep(attempt: &Attempt, value: &Value) -> Result<CallOutcome, No> {
    kept::keep(attempt, value).map_err(|unkept| match unkept {
        Unkept::NotCanonical(why) => No::new("bad_result", why),
        Unkept::Store(error) => lost(attempt, &error),
    })
}

fn load(attempt: &Attempt, sha256: &ContentHash) -> Result<Value, No> {
    kept::load(attempt, sha256).map_err(|message| {
        let failure = fault(FailureClass::ToolBridge, TOOL_FAILED, message.clone());
        attempt.trouble(failure.because(FailureCause::StaleContinuation), true);
        No::new("lost_answer", message)
    })
}

pub(super) fn record(attempt: &Attempt, events: Vec<RunEvent>, wait: Wait) -> Result<(), No> {
    attempt.run.record_all(events, wait).map_err(|error| lost(attempt, &error))
}

/// What cannot be written down must not go on happening, and decides nothing.
pub(in crate::bridge) fn lost(attempt: &Attempt, error: &StoreError) -> No {
    attempt.give_up(error);
    No::new(UNWRITTEN, "what happens cannot be written down")
}
