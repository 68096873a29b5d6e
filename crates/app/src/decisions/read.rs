//! Lists and shows recorded decisions.

use super::{log, log_error, set_back};
use crate::error::AppError;
use crate::registry::report_of;
use crate::session::Session;
use deed_diag::{Diagnostic, Report, codes, did_you_mean, quote};
use deed_model::DecisionStatus;
use deed_store::{DecisionEntry, StoredDecision};

/// A selection of recorded decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// Only decisions of this key.
    pub decision_key: Option<String>,
    /// Only decisions with this status.
    pub status: Option<DecisionStatus>,
    /// Only decisions of this run.
    pub run: Option<String>,
}

impl DecisionFilter {
    fn selects(&self, entry: &DecisionEntry) -> bool {
        let decision = &entry.event.decision;
        self.decision_key.as_ref().is_none_or(|key| *key == decision.decision_key)
            && self.status.is_none_or(|status| status == decision.status)
            && self.run.as_ref().is_none_or(|run| *run == decision.run)
    }
}

/// Lists recorded decisions, in the order of the log. The report warns of clocks that were set back.
///
/// # Errors
/// There is no home, or the log is damaged.
pub fn list(session: &Session, filter: &DecisionFilter) -> Result<(Vec<DecisionEntry>, Report), AppError> {
    let Some(log) = log(session)? else { return Ok((Vec::new(), Report::default())) };
    let mut entries = log.list().map_err(log_error)?;
    let report = report_of(set_back(entries.iter()));
    entries.retain(|entry| filter.selects(entry));
    Ok((entries, report))
}

/// Characters of an id at least that stand for it, after its prefix.
const LEAST_BEGINNING: usize = 8;

/// Returns a recorded decision by its id, a unique prefix of it, or `last`.
///
/// # Errors
/// There is no such decision, several begin so, or the log or a stored file is damaged.
pub fn show(session: &Session, name: &str) -> Result<StoredDecision, AppError> {
    let Some(log) = log(session)? else { return Err(unknown(name, None)) };
    let entries = log.list().map_err(log_error)?;
    let ids: Vec<&str> = entries.iter().map(|entry| entry.event.decision.record_id.as_str()).collect();
    let begun: Vec<&str> = match name {
        "last" => ids.last().copied().into_iter().collect(),
        _ if name.len() < LEAST_BEGINNING => Vec::new(),
        _ => ids.iter().copied().filter(|id| id.starts_with(name)).collect(),
    };
    let id = match begun.as_slice() {
        [only] => *only,
        [] => return Err(unknown(name, did_you_mean(name, ids.iter().copied()))),
        several => return Err(unknown(name, Some(format!("{} ids begin so: write more of it", several.len())))),
    };
    let stored = log.load(id).map_err(log_error)?;
    stored.ok_or_else(|| unknown(name, None))
}

fn unknown(name: &str, help: Option<String>) -> AppError {
    let help = help.unwrap_or_else(|| "`deed decision list` shows all decisions".to_owned());
    let message = format!("there is no decision {}", quote(name));
    AppError::refused(Diagnostic::error(codes::DECISION_NOT_RECORDED, message).stage("decision").help(help))
}
