//! Validation packs in a run: the phases of the frozen profile, each judging its artifacts.
//!
//! One file for each place in a run at which artifacts are judged. What runs here, `receipts verify` runs again over the
//! stored bytes.

mod candidate;
pub(crate) mod correct;
mod delivery;
mod receipt;
pub(crate) mod schema;
mod step;
mod submission;

pub use candidate::{PlanCandidate, judge_candidate};
pub(crate) use delivery::delivered;
pub(crate) use receipt::{opened, record_submission, signed};
pub(crate) use step::{inputs, outputs, taken_over};
pub(crate) use submission::{Subjects, submission};

use crate::fault::{FailureExt, fault};
use crate::state::RunState;
use deed_canon::ContentHash;
use deed_diag::{Invariant as _, codes};
use deed_model::{FailureClass, Phase, RunRequest, StepFailure, ValidationMode, ValidationRecord, ValidationVerdict};
use deed_ports::{BlobRead, BlobWrite, StoreError, StoreErrorKind};
use deed_validation::{Artifact, ArtifactSchema, Correctable, Judged, Proposed, Validator};
use std::io::{self, Read, Seek, SeekFrom};

/// An artifact to judge, without its bytes.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) phase: Phase,
    pub(crate) path: &'a str,
    pub(crate) sha256: ContentHash,
    pub(crate) schema: Option<ArtifactSchema<'a>>,
    pub(crate) may_correct: bool,
    /// What a model proposed for it, if one was asked.
    pub(crate) proposed: Option<Proposed<'a>>,
}

/// Judges an artifact, whose content is read only if its pack reads so much. Bytes that were altered are an error.
pub(crate) fn judge(
    validator: &Validator,
    subject: Subject<'_>,
    content: &mut (impl Read + Seek + ?Sized),
) -> io::Result<Judged> {
    read(validator, subject, content, |artifact| validator.judge(artifact))
}

/// Returns what a model is asked about an artifact, if its contract waits for proposals.
pub(crate) fn correctable(
    validator: &Validator,
    subject: Subject<'_>,
    content: &mut (impl Read + Seek + ?Sized),
) -> io::Result<Option<Correctable>> {
    match validator.waits(subject.phase) {
        true => read(validator, subject, content, |artifact| validator.correctable(artifact)),
        false => Ok(None),
    }
}

fn read<T>(
    validator: &Validator,
    subject: Subject<'_>,
    content: &mut (impl Read + Seek + ?Sized),
    of: impl FnOnce(&Artifact<'_>) -> T,
) -> io::Result<T> {
    let size = content.seek(SeekFrom::End(0))?;
    content.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    let reads = validator.reads(subject.phase, subject.path, size);
    if reads {
        content.read_to_end(&mut bytes)?;
        if ContentHash::of_bytes(&bytes) != subject.sha256 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the stored bytes of `{}` were altered", subject.path),
            ));
        }
    }
    let Subject { phase, path, sha256, schema, may_correct, proposed } = subject;
    let bytes = reads.then_some(bytes.as_slice());
    Ok(of(&Artifact { phase, path, sha256, size, bytes, schema, may_correct, proposed }))
}

/// Stores the bytes of a correction: the artifact as it entered, as it was corrected, and the report.
pub(crate) fn keep(judged: &Judged, original: &mut dyn Read, blobs: &dyn BlobWrite) -> Result<(), StoreError> {
    let Some(correction) = &judged.correction else { return Ok(()) };
    blobs.put(original)?;
    blobs.put(&mut correction.bytes.as_slice())?;
    blobs.put(&mut correction.report.as_slice())?;
    Ok(())
}

/// Reads the validation of a run from its frozen profile; none without a profile, or if a version that froze no packs
/// submitted the run.
pub(crate) fn of_run(request: &RunRequest, blobs: &dyn BlobRead) -> Result<Option<Validator>, String> {
    let Some(frozen) = &request.profile else { return Ok(None) };
    let snapshot = crate::profile::load(frozen, blobs)?;
    match Validator::is_without_packs(&snapshot) {
        true => Ok(None),
        false => Validator::new(&snapshot).map(Some),
    }
}

/// The error over a frozen profile that cannot be used.
pub(crate) fn unusable(why: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Corrupt, format!("the profile of this run cannot be used: {why}"))
        .help("restore the blobs from a backup, or run the plan again")
}

/// Returns the first record that stops what it is about.
pub(crate) fn stopping(records: &[ValidationRecord]) -> Option<&ValidationRecord> {
    records.iter().find(|record| record.stops())
}

/// Says in one sentence what is wrong with an artifact.
pub(crate) fn refusal(record: &ValidationRecord) -> String {
    let path = record.path.as_deref().unwrap_or_default();
    let pack = record.pack_ref.as_deref().unwrap_or_default();
    let mut findings = record.findings.iter();
    let first = findings.clone().find(|finding| finding.fails).or_else(|| findings.next());
    let first = first.invariant("a verdict that stops has a finding");
    let row = first.row.map_or_else(String::new, |row| format!(" in row {row}"));
    let at = first.pointer.as_ref().map_or_else(String::new, |pointer| format!(" at {pointer}"));
    let others = record.findings.len() as u64 + record.unlisted - 1;
    let others = if others == 0 { String::new() } else { format!(" (and {others} more)") };
    format!(
        "`{path}` does not pass `{pack}` ({}): {}{row}{at}: {}{others}",
        record.phase.as_str(),
        first.by,
        first.message
    )
}

/// The failure of a step over a record that stops it.
pub(crate) fn failure(record: &ValidationRecord) -> StepFailure {
    let class = match record.phase {
        Phase::PlannerCandidate | Phase::CompiledPlan => FailureClass::ContractSchema,
        Phase::Ingestion | Phase::StepInput => FailureClass::MissingArtifact,
        Phase::StepOutput | Phase::FinalOutput => FailureClass::OutputShape,
    };
    let about = record.path.clone().unwrap_or_default();
    fault(class, codes::ARTIFACT_REFUSED, refusal(record))
        .about(about)
        .help("every finding is in the receipt: `deed receipts show`; `mode: report` in the profile lets it pass")
}

/// Returns remarks on the validation of the parts of a run that belong to no step; those of steps are theirs.
pub fn validation_remarks(state: &RunState) -> Vec<String> {
    let own = |record: &&ValidationRecord| match record.phase {
        Phase::StepInput | Phase::StepOutput => false,
        Phase::Ingestion | Phase::PlannerCandidate | Phase::CompiledPlan | Phase::FinalOutput => true,
    };
    remarks(&state.validation.iter().filter(own).cloned().collect::<Vec<_>>())
}

/// Returns remarks on corrections and on what did not stop the run.
pub fn remarks(records: &[ValidationRecord]) -> Vec<String> {
    let remark = |record: &ValidationRecord| match record.verdict {
        ValidationVerdict::Off | ValidationVerdict::Passed => None,
        ValidationVerdict::Corrected => corrected(record),
        ValidationVerdict::NotValidated | ValidationVerdict::Correctable | ValidationVerdict::Failed => {
            (!record.stops()).then(|| noted(record))
        }
    };
    records.iter().filter_map(remark).collect()
}

fn corrected(record: &ValidationRecord) -> Option<String> {
    let (correction, before) = (record.correction.as_ref()?, record.before?);
    let path = record.path.as_deref()?;
    let pack = record.pack_ref.as_deref()?;
    let changes =
        if correction.changes == 1 { "1 change".to_owned() } else { format!("{} changes", correction.changes) };
    Some(format!("`{path}` was corrected by `{pack}`, {changes}: {before} became {}", correction.after))
}

fn noted(record: &ValidationRecord) -> String {
    match (record.verdict, record.findings.first()) {
        (ValidationVerdict::NotValidated, Some(finding)) => {
            format!("`{}` ({}): {}", record.path.as_deref().unwrap_or_default(), record.phase.as_str(), finding.message)
        }
        _ => refusal(record),
    }
}

/// Returns the one record of a phase that is off, or what its artifacts come to.
pub(crate) fn unless_off<E>(
    validator: &Validator,
    phase: Phase,
    judged: impl FnOnce() -> Result<Vec<ValidationRecord>, E>,
) -> Result<Vec<ValidationRecord>, E> {
    match validator.mode(phase) {
        ValidationMode::Off => Ok(vec![Validator::off(phase)]),
        ValidationMode::Report | ValidationMode::Block => judged(),
    }
}
