//! Reuse of outputs: those of the run that this one was forked from, or, if the options allow it, of any run whose step
//! had the same contract, the same code and the same inputs.

use super::finish::open_postflight;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::receipts;
use crate::run::Run;
use crate::state::RunState;
use crate::validation;
use deed_diag::{Invariant as _, codes};
use deed_model::{
    ArtifactRecord, Backend, Budget, CheckName, CompiledPlan, ExecutionReceipt, FailureCause, FailureClass,
    FileReceipt, PostflightReceipt, ReuseSource, RunEvent, StepContract, ValidationRecord, is_set,
};
use deed_ports::Wait;
use deed_receipts::concealed;
use serde_json::Value;
use std::collections::BTreeSet;

/// The number of earlier runs that are searched.
const MOST_RUNS: usize = 50;

/// Reuses the outputs of a step, if that is allowed and there are any.
pub(super) fn reuse(run: &Run, contract: &StepContract, attempt: u32) -> Option<End> {
    let forked = run.request.forked.as_ref();
    let forked = forked.filter(|fork| !from_on(&run.plan, &fork.step).contains(&contract.step_id));
    let (earlier, why) = match forked {
        Some(fork) => (vec![fork.run_id.clone()], "the run was forked after it"),
        None if run.request.options.reuse && is_pure(contract) => {
            (others(run), "contract, code and inputs are unchanged")
        }
        None => return None,
    };
    let inputs = inputs(run, contract)?;
    let taken = earlier.iter().find_map(|other| take(run, contract, attempt, other, &inputs, why));
    match (taken, forked) {
        (None, Some(fork)) if !is_pure(contract) && has_reached(run, &fork.run_id, contract) => {
            Some(lost(&fork.run_id, contract))
        }
        (taken, _) => taken,
    }
}

/// Fails a step whose outputs cannot be reused, since running it again could repeat its effects.
fn lost(earlier: &str, contract: &StepContract) -> End {
    let message =
        format!("what `{earlier}` made in this step cannot be taken over: it is not there any more, or altered");
    let help = "restore the blobs from a backup, or fork from this step on";
    let failure = fault(FailureClass::MissingArtifact, codes::NOT_FORKABLE, message).about(contract.step_id.clone());
    failure.because(FailureCause::StaleContinuation).help(help).into()
}

/// Returns a step and all steps after it.
pub fn from_on(plan: &CompiledPlan, step: &str) -> BTreeSet<String> {
    let mut after = BTreeSet::from([step.to_owned()]);
    // Steps stand in an order in which each comes after what it depends on.
    for contract in &plan.steps {
        let gates = plan.gates.iter().filter(|gate| contract.waits_for.contains(&gate.gate_id));
        let mut before = contract.depends_on.iter().chain(gates.flat_map(|gate| &gate.after));
        if before.any(|id| after.contains(id)) {
            after.insert(contract.step_id.clone());
        }
    }
    after
}

/// Returns whether another run came to a step; one whose journal cannot be read may have.
fn has_reached(run: &Run, other: &str, contract: &StepContract) -> bool {
    let entries = run.world.journal.events(other, 0);
    let state = entries.map(|entries| RunState::of(entries.iter().map(|entry| &entry.record.event)));
    state.map_or(true, |state| state.step(&contract.step_id).is_some())
}

/// Returns whether a step does nothing but compute.
pub(crate) fn is_pure(contract: &StepContract) -> bool {
    let execution = &contract.execution_contract;
    execution.side_effects.is_empty()
        && execution.egress.is_empty()
        && contract.allowed_tool_ids.iter().all(|tool| tool.starts_with("sandbox."))
        && execution.routing.backend != Backend::ToolLoop
}

fn others(run: &Run) -> Vec<String> {
    // One more than is needed: this run is the newest, or near it. Where they cannot be listed, nothing is reused and the
    // step runs.
    let runs = run.world.journal.newest(MOST_RUNS + 1).unwrap_or_default();
    let runs = runs.into_iter().map(|listing| listing.run_id);
    runs.filter(|run_id| *run_id != run.request.run_id).take(MOST_RUNS).collect()
}

fn inputs(run: &Run, contract: &StepContract) -> Option<Vec<ArtifactRecord>> {
    let state = run.state();
    let mut inputs = Vec::new();
    for path in &contract.io_contract.read_paths {
        let optional = contract.io_contract.inputs.iter().any(|i| i.path.as_ref() == Some(path) && !i.required);
        let before = inputs.len();
        inputs.extend(state.files_at(path).map(|(record, _)| record.clone()));
        if inputs.len() == before && !optional && !is_set(path) {
            return None;
        }
    }
    Some(inputs)
}

fn take(
    run: &Run,
    contract: &StepContract,
    attempt: u32,
    other: &str,
    inputs: &[ArtifactRecord],
    why: &str,
) -> Option<End> {
    // A run that cannot be read, or whose receipt does not hold, is not reused: the step runs.
    let entries = run.world.journal.events(other, 0).ok()?;
    let earlier = entries.iter().find_map(|entry| match &entry.record.event {
        RunEvent::StepSucceeded { step, outputs, sets, receipt, .. } if *step == contract.step_id => {
            let receipt = open_postflight(receipt, run.world.knows()).ok()?;
            same(&receipt, contract, inputs).then(|| (outputs.clone(), sets.clone(), receipt))
        }
        _ => None,
    })?;
    let (outputs, sets, earlier) = earlier;
    // Reused outputs have to be there, and unaltered.
    let manifests = sets.iter().all(|set| run.world.blobs.open(&set.manifest).is_ok());
    if !manifests || !outputs.iter().all(|output| is_whole(run, output)) {
        return None;
    }
    let validation = validated(run, contract, &outputs)?;
    let receipt = PostflightReceipt {
        absent: Vec::new(),
        of: receipts::of(run, contract, attempt),
        inputs: inputs.to_vec(),
        execution: ExecutionReceipt {
            backend: contract.execution_contract.routing.backend,
            ended: "not executed".to_owned(),
            sandbox: None,
            program: None,
            wall_ms: 0,
            sub_steps: Vec::new(),
            spent: Budget::default(),
            calls: Vec::new(),
            reused: Some(ReuseSource { run_id: other.to_owned(), step: contract.step_id.clone(), why: why.to_owned() }),
            printed: Value::Null,
        },
        // What an earlier receipt says too much of is not signed once more.
        outputs: earlier.outputs.into_iter().map(|file| FileReceipt { found: concealed(file.found), ..file }).collect(),
        sets: earlier.sets,
        // What was judged there is verified with that run.
        checks: earlier.checks.into_iter().filter(|check| check.check != CheckName::Judged).collect(),
        validation: validation.clone(),
        failure: None,
    };
    let mut remarks = receipts::remarks(&receipt.checks);
    remarks.extend(validation::remarks(&validation));
    let receipt = receipts::sign_postflight(&receipt, &run.world.signer).invariant("a receipt can be signed");
    let step = contract.step_id.clone();
    let event = RunEvent::StepSucceeded {
        step,
        attempt,
        outputs,
        sets,
        spent: Budget::default(),
        sub_steps: Vec::new(),
        remarks,
        validation,
        receipt,
    };
    Some(match run.record(event, Wait::Durable) {
        Ok(()) => End::Succeeded,
        Err(error) => End::Unavailable(error),
    })
}

/// Judges outputs that are taken over; none if they do not pass the packs of this run, so that nothing is taken over.
fn validated(run: &Run, contract: &StepContract, outputs: &[ArtifactRecord]) -> Option<Vec<ValidationRecord>> {
    let Some(validator) = &run.validator else { return Some(Vec::new()) };
    let records = validation::taken_over(validator, (&run.types, contract), outputs, &*run.world.blobs).ok()?;
    validation::stopping(&records).is_none().then_some(records)
}

fn same(receipt: &PostflightReceipt, contract: &StepContract, inputs: &[ArtifactRecord]) -> bool {
    receipt.of.compiled() == contract.spec_hash
        && receipt.of.code_hash == contract.execution_contract.code_hash
        && receipt.failure.is_none()
        && receipt.inputs == inputs
}

fn is_whole(run: &Run, output: &ArtifactRecord) -> bool {
    let Ok(mut blob) = run.world.blobs.open(&output.sha256) else { return false };
    crate::verify::hash_of(&mut blob).is_ok_and(|(sha256, bytes)| sha256 == output.sha256 && bytes == output.bytes)
}
