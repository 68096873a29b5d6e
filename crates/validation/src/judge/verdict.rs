//! The verdict: findings and a correction become a record.

use super::climb::CorrectedPayload;
use super::findings::Findings;
use super::{Artifact, Correction, Judged};
use crate::validator::{PreparedPack, corrects};
use deed_canon::ContentHash;
use deed_model::{
    ArtifactRecord, CorrectionRecord, ValidationMode, ValidationRecord, ValidationRule, ValidationVerdict,
};

/// An artifact whose content was not read.
pub(super) fn unread(
    artifact: &Artifact<'_>,
    mode: ValidationMode,
    by: Option<(&PreparedPack, Option<&ValidationRule>)>,
    findings: Findings,
) -> Judged {
    let verdict = if findings.fails { ValidationVerdict::Failed } else { ValidationVerdict::NotValidated };
    Judged { record: record(artifact, mode, by, verdict, findings), correction: None }
}

/// An artifact whose content was judged.
pub(super) fn of(
    artifact: &Artifact<'_>,
    mode: ValidationMode,
    (prepared, rule): (&PreparedPack, &ValidationRule),
    climbed: Option<CorrectedPayload>,
    mut findings: Findings,
) -> Judged {
    let by = Some((prepared, Some(rule)));
    let makes = mode == ValidationMode::Block && artifact.may_correct && corrects(artifact.phase);
    if let Some(climbed) = climbed.as_ref().filter(|_| !makes) {
        findings.not_corrected("json", None, climbed.changes, &climbed.first);
    }
    if findings.fails || findings.open {
        let verdict = if findings.fails { ValidationVerdict::Failed } else { ValidationVerdict::Correctable };
        return Judged { record: record(artifact, mode, by, verdict, findings), correction: None };
    }
    let Some(climbed) = climbed else {
        return Judged { record: record(artifact, mode, by, ValidationVerdict::Passed, findings), correction: None };
    };
    let mut record = record(artifact, mode, by, ValidationVerdict::Corrected, findings);
    record.correction = Some(CorrectionRecord {
        changes: climbed.changes as u64,
        after: ContentHash::of_bytes(&climbed.bytes),
        original: ArtifactRecord { path: kept(artifact, "original"), sha256: artifact.sha256, bytes: artifact.size },
        report: ArtifactRecord {
            path: kept(artifact, "correction.json"),
            sha256: ContentHash::of_bytes(&climbed.report),
            bytes: climbed.report.len() as u64,
        },
    });
    Judged { record, correction: Some(Correction { bytes: climbed.bytes, report: climbed.report }) }
}

/// The path under which a part of a correction is kept.
fn kept(artifact: &Artifact<'_>, ending: &str) -> String {
    format!("validation/{}/{}.{ending}", artifact.phase.as_str(), artifact.path)
}

fn record(
    artifact: &Artifact<'_>,
    mode: ValidationMode,
    by: Option<(&PreparedPack, Option<&ValidationRule>)>,
    verdict: ValidationVerdict,
    findings: Findings,
) -> ValidationRecord {
    ValidationRecord {
        phase: artifact.phase,
        mode,
        verdict,
        path: Some(artifact.path.to_owned()),
        pack_ref: by.map(|(prepared, _)| prepared.pack.pack_ref.clone()),
        pack_hash: by.map(|(prepared, _)| prepared.hash),
        rule: by.and_then(|(_, rule)| rule).map(|rule| rule.id.clone()),
        before: Some(artifact.sha256),
        correction: None,
        corrector: artifact.proposed.map(|proposed| proposed.record.clone()),
        findings: findings.listed,
        unlisted: findings.unlisted,
    }
}
