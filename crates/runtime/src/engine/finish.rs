//! The end of a run: the mission's criteria, the last event, and the seal, which detects a journal that was cut off.

use crate::checks::{self, Facts};
use crate::receipts;
use crate::run::Run;
use crate::validation;
use crate::workspace;
use deed_canon::{Envelope, Statement};
use deed_model::{
    ArtifactRecord, CheckReceipt, CompiledPlan, FileReceipt, OutputRole, Phase, PostflightReceipt, RunEvent,
    RunOutcome, RunSeal, ValidationRecord, ValidationStage, covers,
};
use deed_ports::{EngineError, Standing, StoreError, StoreErrorKind, Wait};
use std::collections::{BTreeMap, BTreeSet};

/// Ends a run whose steps have all succeeded, by the criteria of its mission.
pub(super) fn conclude(run: &Run) -> Result<Standing, EngineError> {
    let found = found(run, &checks::asked(&run.plan.mission))?;
    let facts: Facts<'_> =
        found.iter().map(|(path, (file, checks))| (path.clone(), (&file.found, checks.clone()))).collect();
    let unmet = checks::mission(&run.plan.mission, &facts).into_iter().find(|check| !check.holds);
    match unmet {
        None => match validated(run)?.iter().find(|record| record.stops()) {
            None => end(run, RunOutcome::Succeeded, None),
            Some(record) => end(run, RunOutcome::Failed, Some(validation::refusal(record))),
        },
        Some(check) => {
            let path = check.path.as_deref().unwrap_or_default();
            let why = format!("the mission is not achieved: `{path}`: {}", receipts::unmet(&check));
            end(run, RunOutcome::Failed, Some(why))
        }
    }
}

/// Judges what the run delivers, and records it; an earlier process may have.
fn validated(run: &Run) -> Result<Vec<ValidationRecord>, StoreError> {
    let Some(validator) = &run.validator else { return Ok(Vec::new()) };
    let stage = ValidationStage::Delivery;
    let (known, files) = {
        let state = run.state();
        let known = state.validated.contains(&stage).then(|| state.validation.clone());
        (known, delivered(&run.plan, &state))
    };
    if let Some(records) = known {
        return Ok(records.into_iter().filter(|record| record.phase == Phase::FinalOutput).collect());
    }
    let records = validation::delivered(validator, (&run.types, &run.plan), &files, &*run.world.blobs)?;
    let receipt = validation::signed(run, stage, &records)?;
    run.record(RunEvent::Validated { stage, validation: records.clone(), receipt }, Wait::Durable)?;
    Ok(records)
}

/// Reads the outputs that criteria concern from the receipts of steps, by path.
fn found(
    run: &Run,
    asked: &BTreeSet<String>,
) -> Result<BTreeMap<String, (FileReceipt, Vec<CheckReceipt>)>, StoreError> {
    let mut found = BTreeMap::new();
    if asked.is_empty() {
        return Ok(found);
    }
    for entry in run.world.journal.events(&run.request.run_id, 0)? {
        let RunEvent::StepSucceeded { receipt, step, outputs, .. } = &entry.record.event else { continue };
        if !outputs.iter().any(|output| asked.iter().any(|path| covers(path, &output.path))) {
            continue;
        }
        let corrupt = |why: String| StoreError::new(StoreErrorKind::Corrupt, format!("the receipt of `{step}`: {why}"));
        let opened = open_postflight(receipt, run.world.knows()).map_err(corrupt)?;
        for file in opened.outputs {
            let of = |check: &&CheckReceipt| check.path.as_deref() == Some(file.path.as_str());
            let checks = opened.checks.iter().filter(of).cloned().collect();
            found.insert(file.path.clone(), (file, checks));
        }
    }
    Ok(found)
}

/// Opens the postflight receipt of an envelope whose signature holds.
pub(crate) fn open_postflight(
    envelope: &Envelope,
    known: impl Fn(&deed_canon::KeyId) -> Option<deed_canon::PublicKey>,
) -> Result<PostflightReceipt, String> {
    let (statement, _) = Statement::open(envelope, known).map_err(|error| error.to_string())?;
    serde_json::from_value(statement.predicate).map_err(|error| error.to_string())
}

/// Records the end, and seals it.
pub(super) fn end(run: &Run, outcome: RunOutcome, why: Option<String>) -> Result<Standing, EngineError> {
    run.checkpoint_all(Some(outcome))?;
    run.record(RunEvent::Ended { outcome, why }, Wait::Durable)?;
    seal(run)?;
    Ok(Standing::Ended(outcome))
}

/// Signs the end of a run, unless it is signed.
pub(super) fn seal(run: &Run) -> Result<(), StoreError> {
    let (outcome, sealed, outputs, workspace, replays) = {
        let state = run.state();
        (state.ended, state.sealed, delivered(&run.plan, &state), workspace::sealed(&state), state.replays.clone())
    };
    let Some(outcome) = outcome.filter(|_| !sealed) else { return Ok(()) };
    let run_id = &run.request.run_id;
    let journal = run
        .world
        .journal
        .settle(run_id)?
        .ok_or_else(|| StoreError::new(StoreErrorKind::Corrupt, "the run has no events"))?;
    let snapshot_hash = run.request.profile.as_ref().map(|frozen| frozen.snapshot_hash);
    let (run_id, plan_hash) = (run_id.clone(), run.plan.plan_hash);
    let seal = RunSeal { run_id, plan_hash, outcome, journal, outputs, workspace, snapshot_hash, replays };
    let envelope = receipts::sign_seal(&seal, &run.world.signer)
        .map_err(|error| StoreError::new(StoreErrorKind::Unavailable, format!("the end cannot be signed: {error}")))?;
    run.record(RunEvent::Sealed { seal: envelope }, Wait::Durable)?;
    run.world.journal.anchor(&run.request.run_id, Wait::Durable)
}

/// Returns what the run delivers: outputs that are not intermediate.
pub(crate) fn delivered(plan: &CompiledPlan, state: &crate::state::RunState) -> Vec<ArtifactRecord> {
    let mut outputs = Vec::new();
    for contract in &plan.steps {
        let Some(step) = state.step(&contract.step_id) else { continue };
        for record in &step.outputs {
            let role = contract.io_contract.outputs.iter().find(|output| covers(&output.path, &record.path));
            let means = role.is_some_and(|output| output.role == OutputRole::Intermediate);
            if !means && record.path.starts_with("output/") {
                outputs.push(record.clone());
            }
        }
    }
    outputs.sort();
    outputs
}
