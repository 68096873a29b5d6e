//! Signed receipts of the phases that belong to no step.

use crate::run::Run;
use deed_canon::{CanonError, Envelope, KeyId, PublicKey, SigningKey, Statement, Subject};
use deed_model::{RunEvent, RunRequest, VALIDATION_PREDICATE, ValidationReceipt, ValidationRecord, ValidationStage};
use deed_ports::{StoreError, StoreErrorKind, Wait};
use std::collections::BTreeMap;

/// Records the validation of the submission, unless an earlier process has.
pub(crate) fn record_submission(run: &Run) -> Result<(), StoreError> {
    let stage = ValidationStage::Submission;
    let known = run.state().validated.contains(&stage);
    if run.validator.is_none() || known {
        return Ok(());
    }
    let receipt = signed(run, stage, &run.request.validation)?;
    run.record(RunEvent::Validated { stage, validation: run.request.validation.clone(), receipt }, Wait::Ordered)
}

/// Signs the receipt of a stage.
pub(crate) fn signed(run: &Run, stage: ValidationStage, records: &[ValidationRecord]) -> Result<Envelope, StoreError> {
    let unsigned = |why: String| {
        StoreError::new(StoreErrorKind::Unavailable, format!("the validation of the run cannot be signed: {why}"))
    };
    let receipt = receipt(&run.request, stage, records).ok_or_else(|| unsigned("it has no profile".to_owned()))?;
    sign(&receipt, &run.world.signer).map_err(|error| unsigned(error.to_string()))
}

fn receipt(request: &RunRequest, stage: ValidationStage, records: &[ValidationRecord]) -> Option<ValidationReceipt> {
    Some(ValidationReceipt {
        run_id: request.run_id.clone(),
        plan_hash: request.plan_hash,
        snapshot_hash: request.profile.as_ref()?.snapshot_hash,
        stage,
        validation: records.to_vec(),
    })
}

fn sign(receipt: &ValidationReceipt, key: &SigningKey) -> Result<Envelope, CanonError> {
    let predicate = serde_json::to_value(receipt).map_err(|error| CanonError::NotJson(error.to_string()))?;
    Statement::new(subjects(receipt), VALIDATION_PREDICATE, predicate).sign(key)
}

/// The artifacts as they entered, and the snapshot that judged them.
fn subjects(receipt: &ValidationReceipt) -> Vec<Subject> {
    let subject = |name: String, hex: String| Subject { name, digest: BTreeMap::from([("sha256".to_owned(), hex)]) };
    let snapshot = subject(format!("{}/profile", receipt.run_id), receipt.snapshot_hash.hex());
    let judged =
        receipt.validation.iter().filter_map(|record| Some(subject(record.path.clone()?, record.before?.hex())));
    std::iter::once(snapshot).chain(judged).collect()
}

/// Opens the receipt of a stage, which has to speak of this run.
pub(crate) fn opened(
    envelope: &Envelope,
    request: &RunRequest,
    stage: ValidationStage,
    known: &dyn Fn(&KeyId) -> Option<PublicKey>,
) -> Result<Vec<ValidationRecord>, String> {
    let (statement, _) = Statement::open(envelope, known).map_err(|error| error.to_string())?;
    let found: ValidationReceipt = serde_json::from_value(statement.predicate).map_err(|error| error.to_string())?;
    let meant = receipt(request, stage, &found.validation);
    let own = statement.predicate_type == VALIDATION_PREDICATE && statement.subject == subjects(&found);
    match own && meant.as_ref() == Some(&found) {
        true => Ok(found.validation),
        false => Err("it speaks of another run, profile or stage".to_owned()),
    }
}
