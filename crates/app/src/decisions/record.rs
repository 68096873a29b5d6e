//! Records judged decisions.

use super::judge::{JudgeRequest, JudgedDecision, judge};
use super::log_error;
use crate::error::AppError;
use crate::registry;
use crate::session::Session;
use deed_diag::{Diagnostic, codes};
use deed_model::{CriticVerdict, PackOrigin, PackRef};
use deed_pack::Purpose;
use deed_store::{DecisionLog, Outcome};

/// A judged decision, and whether it was recorded.
#[derive(Debug)]
pub struct RecordingOutcome {
    /// The decision.
    pub judged: JudgedDecision,
    /// The outcome of recording; none where the verdict did not allow it.
    pub recorded: Option<Outcome>,
}

/// Judges a drafted decision, and records it if the critic accepts it, or gives a verdict that the caller allows on record.
/// A decision that the critic sent back is never recorded.
///
/// # Errors
/// As for [`judge`]; an approval was used by another decision, or the log cannot be written.
pub fn record(
    session: &Session,
    request: &JudgeRequest,
    allowed: &[CriticVerdict],
) -> Result<RecordingOutcome, AppError> {
    let home = session.home()?;
    let stamp = session.stamp()?;
    let judged = judge(session, request)?;
    let verdict = judged.case.critique.verdict;
    let kept = match verdict {
        CriticVerdict::Accept => true,
        CriticVerdict::Replan => false,
        CriticVerdict::Escalate | CriticVerdict::Reject => allowed.contains(&verdict),
    };
    if !kept {
        return Ok(RecordingOutcome { judged, recorded: None });
    }
    proven(session, &judged)?;
    let log = DecisionLog::create(&home.decisions()).map_err(log_error)?;
    let outcome = log.record(&judged.case, &judged.recording, &stamp).map_err(log_error)?;
    Ok(RecordingOutcome { judged, recorded: Some(outcome) })
}

/// Compares a pack that the recording calls proven with the registry's.
fn proven(session: &Session, judged: &JudgedDecision) -> Result<(), AppError> {
    if judged.bundle.inputs.pack_source.origin != Some(PackOrigin::Proven) {
        return Ok(());
    }
    let pack = &judged.case.record.lineage.pack;
    let unproven = |message: String| {
        let diagnostic = Diagnostic::error(codes::CONTEXT_OF_DECISION_UNUSABLE, message).stage("decision");
        AppError::refused(diagnostic.help("record the request again from the registry's own version"))
    };
    let Ok(reference) = pack.reference.parse::<PackRef>() else {
        return Err(unproven(format!("`{}` names no version of a pack", pack.reference)));
    };
    let (_, registry) = session.registry()?;
    let loaded = registry.load(&reference, Purpose::Replay).map_err(registry::error)?;
    match loaded.candidate.content_hash() == pack.hash {
        true => Ok(()),
        false => Err(unproven(format!("the registry has another document as {reference}"))),
    }
}
