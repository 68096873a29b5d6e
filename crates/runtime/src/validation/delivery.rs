//! What a run delivers, after its last step.

use super::schema;
use super::{Subject, judge, unless_off};
use crate::types::Types;
use deed_model::{ArtifactRecord, CompiledPlan, Phase, ValidationRecord};
use deed_ports::{BlobRead, StoreError, StoreErrorKind};
use deed_validation::Validator;

/// Judges the files that a run delivers.
pub(crate) fn delivered(
    validator: &Validator,
    (types, plan): (&Types, &CompiledPlan),
    files: &[ArtifactRecord],
    blobs: &dyn BlobRead,
) -> Result<Vec<ValidationRecord>, StoreError> {
    unless_off(validator, Phase::FinalOutput, || {
        let one = |file: &ArtifactRecord| {
            let writer = plan.steps.iter().find(|step| step.writes(&file.path));
            let subject = Subject {
                phase: Phase::FinalOutput,
                path: &file.path,
                sha256: file.sha256,
                schema: writer.and_then(|step| schema::of_output(types, step, &file.path)),
                may_correct: false,
                proposed: None,
            };
            let judged = judge(validator, subject, &mut *blobs.open(&file.sha256)?);
            let judged = judged.map_err(|error| StoreError::new(StoreErrorKind::Unavailable, error.to_string()))?;
            Ok(judged.record)
        };
        files.iter().map(one).collect()
    })
}
