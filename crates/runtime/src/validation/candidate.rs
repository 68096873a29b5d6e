//! A plan before it is compiled.

use deed_canon::ContentHash;
use deed_diag::codes;
use deed_model::{Phase, ValidationRecord};
use deed_ports::EngineError;
use deed_validation::{Artifact, CANDIDATE_PATH, Judged, Validator};

/// A plan that was judged before it was compiled.
#[derive(Debug, Clone)]
pub struct PlanCandidate {
    /// The bytes that were judged: of the file, or the JSON of a document in YAML.
    pub(crate) bytes: Vec<u8>,
    pub(crate) judged: Judged,
}

impl PlanCandidate {
    /// Returns the plan to compile instead, if it was corrected.
    pub fn corrected(&self) -> Option<&[u8]> {
        self.judged.correction.as_ref().map(|correction| correction.bytes.as_slice())
    }

    /// Returns the record.
    pub fn record(&self) -> &ValidationRecord {
        &self.judged.record
    }
}

/// Judges a plan before it is compiled.
///
/// # Errors
/// It does not pass, and the phase blocks.
pub fn judge_candidate(validator: &Validator, bytes: Vec<u8>) -> Result<PlanCandidate, EngineError> {
    let size = bytes.len() as u64;
    let read = validator.reads(Phase::PlannerCandidate, CANDIDATE_PATH, size);
    let judged = validator.judge(&Artifact {
        phase: Phase::PlannerCandidate,
        path: CANDIDATE_PATH,
        sha256: ContentHash::of_bytes(&bytes),
        size,
        bytes: read.then_some(bytes.as_slice()),
        schema: None,
        may_correct: true,
        proposed: None,
    });
    match judged.record.stops() {
        true => Err(refused(&judged.record)),
        false => Ok(PlanCandidate { bytes, judged }),
    }
}

/// The refusal of a submission over a record.
pub(super) fn refused(record: &ValidationRecord) -> EngineError {
    let help = record.findings.iter().find_map(|finding| finding.help.clone());
    EngineError::Refused {
        code: codes::ARTIFACT_REFUSED,
        message: super::refusal(record),
        help: Some(
            help.unwrap_or_else(|| "fix it, or write `mode: report` in the profile; nothing was run".to_owned()),
        ),
    }
}
