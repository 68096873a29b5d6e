//! Holds what a receipt says about an execution to the contract: that it began, where it ran, what was executed, and what
//! it spent.

use super::Pass;
use super::calls::exceeds;
use crate::backends::ENDED_WELL;
use deed_model::{Backend, PostflightReceipt, RunEvent, StepContract};
use deed_ports::JournalEntry;

/// Returns whether the receipt of a step that succeeded fits its contract and the events before it.
pub(super) fn verify(
    pass: &mut Pass<'_>,
    contract: &StepContract,
    receipt: &PostflightReceipt,
    before: &[JournalEntry],
) -> Result<(), String> {
    if receipt.execution.reused.is_some() {
        return Ok(());
    }
    ended(receipt)?;
    began(contract, receipt.of.attempt, before)?;
    place(contract, receipt)?;
    executed(pass, contract, receipt)?;
    let attempt = &contract.execution_contract.attempt;
    match exceeds(&receipt.execution.spent, attempt) {
        Some((part, spent, granted)) => {
            Err(format!("it spent {spent} of `{part}`, and an attempt may spend {granted}"))
        }
        None => Ok(()),
    }
}

/// Checks that the execution of a step that succeeded ended well, by every account of it.
fn ended(receipt: &PostflightReceipt) -> Result<(), String> {
    let said = &receipt.execution;
    if said.ended != ENDED_WELL {
        return Err(format!("it says `{}`, and the journal that the step succeeded", said.ended));
    }
    let sandboxed = said.backend == Backend::SandboxSession;
    let whole = |code: Option<i32>| code == Some(0) || code.is_none() && !sandboxed;
    match said.sub_steps.iter().find(|sub_step| !whole(sub_step.exit_code)) {
        Some(sub_step) => {
            let code = sub_step.exit_code.map_or_else(|| "none".to_owned(), |code| code.to_string());
            Err(format!("an execution has the exit code {code}, and the step succeeded"))
        }
        None => Ok(()),
    }
}

/// Checks that an attempt began, and its inputs were inspected, before it succeeded.
fn began(contract: &StepContract, attempt: u32, before: &[JournalEntry]) -> Result<(), String> {
    let most = contract.repair_policy.max_retries.saturating_add(1);
    if attempt > most {
        return Err(format!("it was attempt {attempt}, and the contract allows {most}"));
    }
    let events = || before.iter().map(|entry| &entry.record.event);
    let id = &contract.step_id;
    if !events()
        .any(|event| matches!(event, RunEvent::StepStarted { step, attempt: own } if step == id && *own == attempt))
    {
        return Err("the journal does not say that the attempt began".to_owned());
    }
    if !events().any(|event| matches!(event, RunEvent::Preflighted { step, .. } if step == id)) {
        return Err("the inputs of the step were not inspected".to_owned());
    }
    Ok(())
}

/// Checks that it ran on the backend of the contract, in a sandbox as strong as the contract demands.
fn place(contract: &StepContract, receipt: &PostflightReceipt) -> Result<(), String> {
    let (execution, said) = (&contract.execution_contract, &receipt.execution);
    if said.backend != execution.routing.backend {
        let (backend, demanded) = (said.backend.as_str(), execution.routing.backend.as_str());
        return Err(format!("it ran on `{backend}`, and the contract has `{demanded}`"));
    }
    let Some(demand) = &execution.sandbox else { return Ok(()) };
    match &said.sandbox {
        Some(sandbox) if sandbox.obtained >= demand.minimum => Ok(()),
        Some(sandbox) => {
            let (obtained, demanded) = (sandbox.obtained.as_str(), demand.minimum.as_str());
            Err(format!("its sandbox was {obtained}, and the contract demands {demanded}"))
        }
        None => Err("it names no sandbox, and the contract demands one".to_owned()),
    }
}

/// Checks that the code of the run, or the adapter of the contract, was executed.
fn executed(pass: &mut Pass<'_>, contract: &StepContract, receipt: &PostflightReceipt) -> Result<(), String> {
    let sub_steps = &receipt.execution.sub_steps;
    if sub_steps.is_empty() && pass.types.is_some() {
        return Err("it lists no execution, although the run is of a version that does".to_owned());
    }
    if sub_steps.is_empty() {
        let words = "what was executed in steps whose receipts list no executions, as those of older versions";
        pass.not_derived.insert(words.to_owned());
        return Ok(());
    }
    let code = pass.state.request.as_ref().and_then(|request| request.code.get(&contract.step_id));
    let code = code.map(ToString::to_string).or_else(|| contract.execution_contract.adapter_id.clone());
    match sub_steps.iter().find(|sub_step| code.as_ref().is_some_and(|code| *code != sub_step.code)) {
        Some(_) => Err("it executed other code than the run has".to_owned()),
        None => Ok(()),
    }
}
