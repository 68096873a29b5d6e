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
use deed_store::{DecisionLog, DecisionLogError};

/// Opens the log of decisions; none where nothing was recorded yet.
fn log(session: &Session) -> Result<Option<DecisionLog>, AppError> {
    DecisionLog::open(&session.home()?.decisions()).map_err(log_error)
}

/// Turns a refusal or a fault of the log into an error of the operation.
fn log_error(error: DecisionLogError) -> AppError {
    let kind = match &error {
        DecisionLogError::Refused(_) => ErrorKind::Refused,
        DecisionLogError::Environment(_) => ErrorKind::Environment,
    };
    AppError { kind, report: report_of(error.diagnostics().to_vec()) }
}
