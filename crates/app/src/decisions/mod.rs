//! Decisions: judging a draft against the context that the model was shown, approving, recording and verifying.

mod approve;
mod draft;
mod journal;
mod judge;
mod read;
mod record;
mod verify;

pub use approve::{ApprovalRequest, approve, write_approval};
pub use judge::{JudgeRequest, JudgedDecision, judge};
pub use read::{DecisionFilter, list, show};
pub use record::{RecordingOutcome, record};
pub use verify::{VerifiedDecisions, verify};

use crate::error::{AppError, ErrorKind};
use crate::registry::report_of;
use crate::session::Session;
use deed_canon::timestamp;
use deed_diag::{Diagnostic, Place, codes};
use deed_store::{DecisionEntry, DecisionLog, DecisionLogError};
use jiff::Timestamp;

/// Opens the log of decisions; none where nothing was recorded yet.
fn log(session: &Session) -> Result<Option<DecisionLog>, AppError> {
    DecisionLog::open(&session.home()?.decisions()).map_err(log_error)
}

/// Returns the latest time of the log.
fn latest(session: &Session) -> Result<Option<Timestamp>, AppError> {
    let entries = match log(session)? {
        Some(log) => log.list().map_err(log_error)?,
        None => Vec::new(),
    };
    Ok(entries.iter().filter_map(|entry| timestamp(&entry.event.at)).max())
}

/// Warns of entries with an earlier time than one before them.
fn set_back<'e>(entries: impl Iterator<Item = &'e DecisionEntry>) -> Vec<Diagnostic> {
    let mut latest: Option<Timestamp> = None;
    let mut found = Vec::new();
    for entry in entries {
        let (seq, at) = (entry.link.seq, &entry.event.at);
        let Some(own) = timestamp(at) else { continue };
        match latest {
            Some(after) if own < after => {
                let message = format!("decision {seq} was recorded at {at}, and one before it at {after}");
                let warning = Diagnostic::warning(codes::DECISION_CLOCK_SET_BACK, message).stage("decisions");
                let help = "set the clock right; approvals that had expired by the later time hold no more";
                found.push(warning.at(Place::file(format!("decision:{seq}"))).help(help));
            }
            Some(_) | None => latest = Some(own),
        }
    }
    found
}

/// Turns a refusal or a fault of the log into an error of the operation.
fn log_error(error: DecisionLogError) -> AppError {
    let kind = match &error {
        DecisionLogError::Refused(_) => ErrorKind::Refused,
        DecisionLogError::Environment(_) => ErrorKind::Environment,
    };
    AppError { kind, report: report_of(error.diagnostics().to_vec()) }
}
