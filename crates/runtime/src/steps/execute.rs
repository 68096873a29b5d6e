//! 6, execute: the work itself, on the backend that the compiled plan names.

use super::network::{self, ProgramEnd};
use super::preflight::StepInputs;
use super::project::Projected;
use super::raised::{self, RaisedError};
use crate::attempt::Attempt;
use crate::backends;
use crate::bridge;
use crate::content::Content;
use crate::fault::{FailureExt, fault};
use crate::harness::{End, Failed, Parked};
use deed_diag::{Invariant as _, codes};
use deed_model::{Backend, Budget, ExecutionReceipt, FailureClass, StepFailure, SubStep};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The result of executing a step.
#[derive(Debug)]
pub(crate) struct Execution {
    pub(crate) receipt: ExecutionReceipt,
    /// The outputs of what runs in this process, by path; none where code had folders to write to.
    pub(crate) outputs: Option<BTreeMap<String, Content>>,
    pub(crate) failure: Option<StepFailure>,
}

/// The result of a backend.
#[derive(Debug)]
pub(crate) struct BackendResult {
    /// The end, in words.
    pub(crate) ended: String,
    pub(crate) failure: Option<StepFailure>,
    pub(crate) sandbox: Option<deed_model::SandboxReport>,
    pub(crate) program: Option<String>,
    pub(crate) wall_ms: u64,
    /// The exit code of a program of its own that ended by itself.
    pub(crate) exit_code: Option<i32>,
    pub(crate) printed: Value,
    /// The outputs of what runs in this process, by path; none where code had folders to write to.
    pub(crate) outputs: Option<BTreeMap<String, Content>>,
}

pub(crate) fn step(attempt: &Arc<Attempt>, projected: &Projected, entered: &StepInputs) -> Result<Execution, End> {
    let routing = &attempt.contract.execution_contract.routing;
    let grant = &attempt.contract.execution_contract.attempt;
    let before = spent_before(attempt);
    attempt.run.ledger.open(&attempt.account, grant, &before);
    let paid = paid_before(attempt);
    let wall_seconds = grant.wall_seconds.map(|seconds| seconds.saturating_sub(paid));
    let wall = Budget { wall_seconds, ..Budget::default() };
    let reserved = attempt.run.ledger.reserve(&attempt.account, &wall).map_err(|short| {
        fault(FailureClass::BudgetExhaustion, codes::BUDGET_SPENT, short.to_string())
            .help("grant more with `--budget`, or give steps smaller budgets")
    });
    let reserved = match reserved {
        Ok(reserved) => reserved,
        Err(failure) => {
            attempt.run.ledger.close(&attempt.account);
            return Err(failure.into());
        }
    };
    let ran = match routing.backend {
        Backend::SandboxSession => backends::sandbox(attempt, projected),
        Backend::Native => backends::native(attempt, entered),
        Backend::EdgeIsolate => backends::isolate(attempt, entered),
        Backend::ToolLoop => {
            Err(fault(FailureClass::ContractSchema, codes::NEEDS_MODEL, "a model is needed to call tools").into())
        }
    };
    let seconds = ran.as_ref().map_or(0, |ran| seconds(ran.wall_ms, grant.wall_seconds));
    let spent = Budget { wall_seconds: Some(seconds.saturating_sub(paid)), ..Budget::default() };
    reserved.settle(&spent);
    attempt.run.ledger.close(&attempt.account);
    let last = attempt.last_progress();
    if let Some(said) = attempt.last_unread().and_then(|unread| bridge::read_progress(&unread)).or(last) {
        // A failure to record progress stops the run on its own.
        let _ = bridge::write_progress(attempt, said);
    }
    if let Some(error) = attempt.unavailable() {
        return Err(End::Unavailable(error));
    }
    let ran = ran?;
    let parked = attempt.parked();
    let sub_step = sub_step(attempt, &ran, parked.is_some());
    if let Some(gate_id) = parked {
        return Err(End::Parked(Box::new(Parked { gate_id, spent, sub_step })));
    }
    if attempt.run.is_stopping() {
        return Err(End::Stopped);
    }
    let (calls, _) = attempt.calls();
    let receipt = ExecutionReceipt {
        backend: routing.backend,
        ended: ran.ended,
        sandbox: ran.sandbox,
        program: ran.program,
        wall_ms: ran.wall_ms,
        sub_steps: vec![sub_step],
        spent,
        calls,
        reused: None,
        printed: ran.printed,
    };
    let failure = failure(attempt, ran.failure, ran.exit_code);
    Ok(Execution { failure, receipt, outputs: ran.outputs })
}

/// This execution, after all those of the step before it.
fn sub_step(attempt: &Attempt, ran: &BackendResult, is_parked: bool) -> SubStep {
    let contract = &attempt.contract;
    let execution = &contract.execution_contract;
    let before = attempt.run.state().step(&contract.step_id).map_or(0, |step| step.sub_steps.len() as u64);
    let code = attempt.run.request.code.get(&contract.step_id).map(ToString::to_string);
    let (exit_code, ok) = recorded_end(ran, is_parked);
    SubStep {
        sequence: before + 1,
        label: contract.label.clone(),
        kind: execution.language.clone().unwrap_or_else(|| "adapter".to_owned()),
        code: code.or_else(|| execution.adapter_id.clone()).invariant("code or an adapter is executed"),
        exit_code,
        duration_ms: ran.wall_ms,
        ok,
    }
}

/// The exit code that is recorded, and whether it went well. An execution that a gate parked has neither: its code may end
/// over the answer of the bridge before it is stopped, or may be stopped first, and the record is the same.
fn recorded_end(ran: &BackendResult, is_parked: bool) -> (Option<i32>, bool) {
    if is_parked { (None, false) } else { (ran.exit_code, ran.failure.is_none()) }
}

/// Rounds up to seconds, but not beyond the grant by rounding alone: a run whose grant is its worst case would lack them
/// later.
fn seconds(wall_ms: u64, granted: Option<u64>) -> u64 {
    let begun = wall_ms.div_ceil(1000);
    granted.map_or(begun, |granted| begun.min(granted.max(wall_ms / 1000)))
}

/// Returns the wall-clock seconds that this attempt has paid for. Code that is run again after a gate or a crash does again what it
/// did, so an attempt pays for the longest of its executions, and not for all of them.
fn paid_before(attempt: &Attempt) -> u64 {
    attempt.run.state().step(&attempt.contract.step_id).map_or(0, |step| step.paid_seconds)
}

/// Returns what calls of this attempt spent before its process crashed. Calls that failed and are made again are paid for
/// then.
pub(crate) fn spent_before(attempt: &Attempt) -> Budget {
    let state = attempt.run.state();
    let Some(step) = state.step(&attempt.contract.step_id) else { return Budget::default() };
    let served = step.calls.values().filter(|call| !call.is_made_again(attempt.number));
    let served = served.filter_map(|call| call.answer.as_ref()).map(|answer| answer.spent);
    // Models that were asked for a call without an answer are not asked again.
    let asked = step.calls.values().filter(|call| call.attempt == attempt.number).map(|call| step.unanswered(call));
    served.chain(asked).fold(step.beside_calls(Some(attempt.number)), Budget::plus)
}

/// Returns the failure: what its code was refused comes before how its code ended.
fn failure(attempt: &Attempt, ended: Option<StepFailure>, exit_code: Option<i32>) -> Option<StepFailure> {
    let troubles = attempt.troubles();
    if let Some(fatal) = troubles.iter().find(|trouble| trouble.fatal) {
        let printed = fatal.failure.printed.clone().or_else(|| ended.and_then(|ended| ended.printed));
        return Some(StepFailure { printed, ..fatal.failure.clone() });
    }
    let ended = ended?;
    // Only code that ended by itself can have ended over a refusal.
    if ended.code != codes::CODE_FAILED {
        return Some(ended);
    }
    let raised = raised::by_code(attempt);
    let ended = network::explained(&attempt.contract, ProgramEnd { raised, exit_code }, ended);
    let Some(last) = troubles.last() else { return Some(ended) };
    match raised.map(|raised| raised.kind) {
        // It caught the refusal, continued, and failed by itself.
        Some(RaisedError::Other) => {
            let message = format!("{}; earlier, and maybe the reason for it: {}", ended.message, last.failure.message);
            // It may be another reason, or this one in other words: if either would be retried, it is.
            let of = if last.failure.class == FailureClass::ToolBridge { &last.failure } else { &ended };
            let (class, code, causes) = (of.class, of.code.clone(), of.causes.clone());
            let help = last.failure.help.clone().or_else(|| ended.help.clone());
            Some(StepFailure { class, causes, code, message, help, ..ended })
        }
        // Code that ends without an exception is assumed to have ended over the refusal.
        Some(RaisedError::Call | RaisedError::Network) | None => {
            Some(StepFailure { printed: ended.printed, ..last.failure.clone() })
        }
    }
}

/// A failure with what was found out before it.
pub(crate) fn failed(
    failure: StepFailure,
    receipt: Option<deed_canon::Envelope>,
    spent: Budget,
    sub_steps: Vec<SubStep>,
) -> End {
    End::Failed(Box::new(Failed { failure, receipt, spent, sub_steps }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code that hears that its call waits may end before the sandbox is stopped.
    #[test]
    fn how_parked_code_ended_is_not_recorded() {
        let ran = |exit_code, failure| BackendResult {
            ended: "exit code".to_owned(),
            failure,
            sandbox: None,
            program: None,
            wall_ms: 1,
            exit_code,
            printed: Value::Null,
            outputs: None,
        };
        let failed = || Some(fault(deed_model::FailureClass::OutputShape, codes::CODE_FAILED, "it failed"));
        let raced = [ran(Some(0), None), ran(Some(1), failed()), ran(None, failed())];
        assert_eq!(raced.each_ref().map(|ran| recorded_end(ran, true)), [(None, false); 3]);
        assert_eq!(
            raced.each_ref().map(|ran| recorded_end(ran, false)),
            [(Some(0), true), (Some(1), false), (None, false)]
        );
    }
}
