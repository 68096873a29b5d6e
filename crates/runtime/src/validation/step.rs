//! The inputs and outputs of a step.
//!
//! Inputs enter after they were inspected, and are judged as they are. Outputs enter as the step wrote them; those that
//! the pack corrects leave with other bytes, and everything after reads those.

use super::correct::{self, FrozenProposals};
use super::schema;
use super::{Subject, correctable, judge, unless_off};
use crate::attempt::Attempt;
use crate::checks::InspectedFile;
use crate::harness::End;
use crate::steps::disk;
use crate::types::Types;
use deed_model::{ArtifactRecord, Phase, StepContract, ValidationMode, ValidationRecord};
use deed_ports::BlobRead;
use deed_validation::{ArtifactSchema, Judged, Proposed, Validator};
use std::io;
use std::sync::Arc;

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
            Ok(one(validator, file, Phase::StepInput, schema)?.record)
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

/// Judges the outputs of a step. A model is asked for proposals where the contract of an output waits for them.
pub(crate) fn outputs(
    validator: &Validator,
    (types, attempt): (&Types, &Arc<Attempt>),
    inputs: &[InspectedFile],
    files: &[InspectedFile],
) -> Result<JudgedOutputs, End> {
    if validator.mode(Phase::StepOutput) == ValidationMode::Off {
        return Ok(JudgedOutputs { records: vec![Validator::off(Phase::StepOutput)], judged: Vec::new() });
    }
    let failed = |error: io::Error| disk("an output cannot be read", &error);
    let mut judged = Vec::new();
    for file in files {
        let schema = schema::of_output(types, &attempt.contract, &file.path);
        let content = || file.content.open().map_err(failed);
        let asked = subject(file, Phase::StepOutput, schema, None);
        let proposals = match correctable(validator, asked, &mut *content()?).map_err(failed)? {
            Some(correctable) => correct::propose(attempt, inputs, file, &correctable)?,
            None => None,
        };
        let proposed = proposals.as_ref().map(FrozenProposals::proposed);
        let subject = subject(file, Phase::StepOutput, schema, proposed);
        judged.push(judge(validator, subject, &mut *content()?).map_err(failed)?);
    }
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
            let subject =
                Subject { phase: Phase::StepOutput, path, sha256, schema, may_correct: false, proposed: None };
            let mut blob = blobs.open(&sha256).map_err(|error| error.message)?;
            judge(validator, subject, &mut *blob).map(|judged| judged.record).map_err(|error| error.to_string())
        };
        outputs.iter().map(one).collect()
    })
}

/// A file as a phase judges it: outputs may be corrected, inputs not.
fn subject<'s>(
    file: &'s InspectedFile,
    phase: Phase,
    schema: Option<ArtifactSchema<'s>>,
    proposed: Option<Proposed<'s>>,
) -> Subject<'s> {
    let may_correct = phase == Phase::StepOutput;
    Subject { phase, path: &file.path, sha256: file.found.sha256, schema, may_correct, proposed }
}

fn one(
    validator: &Validator,
    file: &InspectedFile,
    phase: Phase,
    schema: Option<ArtifactSchema<'_>>,
) -> io::Result<Judged> {
    judge(validator, subject(file, phase, schema, None), &mut *file.content.open()?)
}
