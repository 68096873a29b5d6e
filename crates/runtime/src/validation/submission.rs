//! What a run is submitted with: the plan, the compiled plan and the inputs of the mission.
//!
//! Enters: what is stored already. Leaves: the inputs as the run reads them, and the records that are frozen with the
//! request. Everything that blocks is refused before anything runs.

use super::candidate::{PlanCandidate, refused};
use super::schema;
use super::{Subject, judge, keep, unless_off};
use crate::types::Types;
use deed_canon::ContentHash;
use deed_model::{ArtifactRecord, CompiledPlan, Phase, ValidationMode, ValidationRecord};
use deed_ports::{BlobRead, EngineError, StoreError, StoreErrorKind};
use deed_validation::{COMPILED_PATH, Judged, Validator};

/// A submission that was judged.
pub(crate) struct Submitted {
    /// The inputs, as they were corrected.
    pub(crate) inputs: Vec<ArtifactRecord>,
    pub(crate) records: Vec<ValidationRecord>,
    /// The judgements of the inputs, by their places.
    pub(crate) judged: Vec<Judged>,
}

/// What is judged of a submission.
pub(crate) struct Subjects<'a> {
    pub(crate) plan: &'a CompiledPlan,
    pub(crate) plan_blob: &'a ContentHash,
    pub(crate) types: &'a Types,
    /// The inputs, as they were given.
    pub(crate) inputs: &'a [ArtifactRecord],
}

/// Judges a submission, whose candidate was judged before the compile.
pub(crate) fn submission(
    validator: &Validator,
    candidate: Option<ValidationRecord>,
    subjects: &Subjects<'_>,
    blobs: &dyn BlobRead,
) -> Result<Submitted, StoreError> {
    let mut records = match candidate {
        Some(record) => vec![record],
        None => vec![Validator::off(Phase::PlannerCandidate)],
    };
    records.extend(compiled(validator, subjects.plan_blob, blobs)?);
    let Ingested { inputs, judged, records: own } = ingested(validator, subjects, blobs)?;
    records.extend(own);
    Ok(Submitted { inputs, records, judged })
}

fn compiled(
    validator: &Validator,
    plan_blob: &ContentHash,
    blobs: &dyn BlobRead,
) -> Result<Vec<ValidationRecord>, StoreError> {
    unless_off(validator, Phase::CompiledPlan, || {
        let subject = Subject {
            phase: Phase::CompiledPlan,
            path: COMPILED_PATH,
            sha256: *plan_blob,
            schema: None,
            may_correct: false,
            proposed: None,
        };
        Ok(vec![judge(validator, subject, &mut *blobs.open(plan_blob)?).map_err(|error| unread(&error))?.record])
    })
}

struct Ingested {
    inputs: Vec<ArtifactRecord>,
    judged: Vec<Judged>,
    records: Vec<ValidationRecord>,
}

fn ingested(validator: &Validator, subjects: &Subjects<'_>, blobs: &dyn BlobRead) -> Result<Ingested, StoreError> {
    if validator.mode(Phase::Ingestion) == ValidationMode::Off {
        let records = vec![Validator::off(Phase::Ingestion)];
        return Ok(Ingested { inputs: subjects.inputs.to_vec(), judged: Vec::new(), records });
    }
    let (mut inputs, mut judged, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for input in subjects.inputs {
        let given = subjects.plan.inputs.iter().find(|given| given.path == input.path);
        let subject = Subject {
            phase: Phase::Ingestion,
            path: &input.path,
            sha256: input.sha256,
            schema: given.and_then(|given| schema::of_mission(subjects.types, given)),
            may_correct: true,
            proposed: None,
        };
        let found = judge(validator, subject, &mut *blobs.open(&input.sha256)?).map_err(|error| unread(&error))?;
        inputs.push(match &found.correction {
            None => input.clone(),
            Some(correction) => ArtifactRecord {
                path: input.path.clone(),
                sha256: ContentHash::of_bytes(&correction.bytes),
                bytes: correction.bytes.len() as u64,
            },
        });
        records.push(found.record.clone());
        judged.push(found);
    }
    Ok(Ingested { inputs, judged, records })
}

fn unread(error: &std::io::Error) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, error.to_string())
}

impl Submitted {
    /// Refuses a submission that a phase blocks; otherwise stores the corrections.
    pub(crate) fn settled(
        self,
        candidate: Option<&PlanCandidate>,
        given: &[ArtifactRecord],
        blobs: &dyn crate::world::Blobs,
    ) -> Result<Self, EngineError> {
        if let Some(record) = super::stopping(&self.records) {
            return Err(refused(record));
        }
        if let Some(candidate) = candidate {
            blobs.put(&mut candidate.bytes.as_slice())?;
            keep(&candidate.judged, &mut candidate.bytes.as_slice(), blobs)?;
        }
        for (judged, given) in self.judged.iter().zip(given).filter(|(judged, _)| judged.correction.is_some()) {
            keep(judged, &mut *blobs.open(&given.sha256)?, blobs)?;
        }
        Ok(self)
    }
}
