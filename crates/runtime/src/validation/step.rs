//! The inputs and outputs of a step.
//!
//! Inputs enter after they were inspected, and are judged as they are. Outputs enter as the step wrote them; those that
//! the pack corrects leave with other bytes, and everything after reads those.

use super::schema;
use super::{Subject, judge, unless_off};
use crate::checks::InspectedFile;
use crate::types::Types;
use deed_model::{ArtifactRecord, Phase, StepContract, ValidationMode, ValidationRecord};
use deed_ports::BlobRead;
use deed_validation::{ArtifactSchema, Judged, Validator};
use std::io;

/// Judges the inputs of a step.
pub(crate) fn inputs(
    validator: &Validator,
    types: &Types,
    contract: &StepContract,
    files: &[InspectedFile],
) -> io::Result<Vec<ValidationRecord>> {
    unless_off(validator, Phase::StepInput, || {
        let judged = files.iter().map(|file| {
            let schema = schema::of_input(types, contract, &file.path);
            Ok(one(validator, file, Phase::StepInput, schema, false)?.record)
        });
        judged.collect()
    })
}

/// The judged outputs of a step.
#[derive(Debug, Default)]
pub(crate) struct JudgedOutputs {
    pub(crate) records: Vec<ValidationRecord>,
    /// The judgements, by the place of the output.
    pub(crate) judged: Vec<Judged>,
}

/// Judges the outputs of a step.
pub(crate) fn outputs(
    validator: &Validator,
    types: &Types,
    contract: &StepContract,
    files: &[InspectedFile],
) -> io::Result<JudgedOutputs> {
    if validator.mode(Phase::StepOutput) == ValidationMode::Off {
        return Ok(JudgedOutputs { records: vec![Validator::off(Phase::StepOutput)], judged: Vec::new() });
    }
    let judged = files.iter().map(|file| {
        let schema = schema::of_output(types, contract, &file.path);
        one(validator, file, Phase::StepOutput, schema, true)
    });
    let judged: Vec<Judged> = judged.collect::<io::Result<_>>()?;
    Ok(JudgedOutputs { records: judged.iter().map(|judged| judged.record.clone()).collect(), judged })
}

/// Judges outputs that an earlier receipt names, so that none of them is corrected.
pub(crate) fn taken_over(
    validator: &Validator,
    (types, contract): (&Types, &StepContract),
    outputs: &[ArtifactRecord],
    blobs: &dyn BlobRead,
) -> Result<Vec<ValidationRecord>, String> {
    unless_off(validator, Phase::StepOutput, || {
        let one = |output: &ArtifactRecord| {
            let schema = schema::of_output(types, contract, &output.path);
            let (path, sha256) = (output.path.as_str(), output.sha256);
            let subject = Subject { phase: Phase::StepOutput, path, sha256, schema, may_correct: false };
            let mut blob = blobs.open(&sha256).map_err(|error| error.message)?;
            judge(validator, subject, &mut *blob).map(|judged| judged.record).map_err(|error| error.to_string())
        };
        outputs.iter().map(one).collect()
    })
}

fn one(
    validator: &Validator,
    file: &InspectedFile,
    phase: Phase,
    schema: Option<ArtifactSchema<'_>>,
    may_correct: bool,
) -> io::Result<Judged> {
    let subject = Subject { phase, path: &file.path, sha256: file.found.sha256, schema, may_correct };
    judge(validator, subject, &mut *file.content.open()?)
}
