//! Memories as they are listed and shown, and the verification of their log.

use super::{existing, instant, set_back, unknown};
use crate::error::AppError;
use crate::registry::{self, report_of};
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::Report;
use deed_memory::{MemoryRecord, MemoryStatus};
use deed_model::{MemoryProposal, MemoryRules};
use deed_store::{MemoryEntry, Verification};
use tracing::info_span;

/// A memory in a list.
#[derive(Debug, Clone)]
pub struct ListedMemory {
    /// Its record.
    pub record: MemoryRecord,
    /// Its standing now.
    pub status: MemoryStatus,
}

/// A memory with its history.
#[derive(Debug)]
pub struct ShownMemory {
    /// Its record.
    pub record: MemoryRecord,
    /// Its standing now.
    pub status: MemoryStatus,
    /// What was proposed; none if the checks rejected it.
    pub proposal: Option<MemoryProposal>,
    /// The rules that judged it.
    pub rules: MemoryRules,
    /// Its events, in order.
    pub events: Vec<MemoryEntry>,
}

/// Returns every memory, or those of one standing, in order of their capture and their ids. The report warns of clocks that
/// were set back.
///
/// # Errors
/// The log is damaged or cannot be read.
pub fn list(session: &Session, status: Option<MemoryStatus>) -> Result<(Vec<ListedMemory>, Report), AppError> {
    let clock = instant(&session.stamp()?)?;
    let Some(store) = existing(session)? else { return Ok((Vec::new(), Report::default())) };
    let state = store.state().map_err(registry::error)?;
    let now = state.now(clock);
    let listed = state.records().map(|record| ListedMemory { record: record.clone(), status: record.status(now) });
    let mut listed: Vec<ListedMemory> = listed.filter(|memory| status.is_none_or(|s| s == memory.status)).collect();
    listed.sort_by(|a, b| {
        let key = |memory: &ListedMemory| (memory.record.captured_at.clone(), memory.record.memory_id.clone());
        key(a).cmp(&key(b))
    });
    Ok((listed, report_of(set_back(&state))))
}

/// Returns a memory with its content and its history.
///
/// # Errors
/// There is no such memory, or its content is lost or was altered.
pub fn show(session: &Session, memory_id: &str) -> Result<ShownMemory, AppError> {
    let clock = instant(&session.stamp()?)?;
    let store = existing(session)?.ok_or_else(|| unknown(memory_id))?;
    let state = store.state().map_err(registry::error)?;
    let now = state.now(clock);
    let record = state.get(memory_id).cloned().ok_or_else(|| unknown(memory_id))?;
    let proposal = match record.keeps_content() {
        true => Some(store.proposal(&record.content).map_err(registry::error)?),
        false => None,
    };
    let rules = store.rules(&record.rules).map_err(registry::error)?;
    let events = store.log(Some(memory_id)).map_err(registry::error)?;
    Ok(ShownMemory { status: record.status(now), record, proposal, rules, events })
}

/// Verifies the whole memory log. `head` is a head that was kept elsewhere, now or earlier.
///
/// # Errors
/// Something was damaged or altered: the error reports all of it.
pub fn verify(session: &Session, head: Option<ContentHash>) -> Result<(Verification, Report), AppError> {
    let _span = info_span!("verify memory").entered();
    let Some(store) = existing(session)? else {
        let nothing = Verification { findings: Vec::new(), head: None, events: 0 };
        return match head {
            Some(_) => Err(AppError::refused(no_log())),
            None => Ok((nothing, Report::default())),
        };
    };
    let mut verification = store.verify(head).map_err(registry::error)?;
    let mut report = report_of(std::mem::take(&mut verification.findings));
    if report.has_errors() {
        return Err(report.into());
    }
    let state = store.state().map_err(registry::error)?;
    set_back(&state).into_iter().for_each(|warning| report.push(warning));
    Ok((verification, report))
}

fn no_log() -> deed_diag::Diagnostic {
    let message = "a head was recorded elsewhere, and this home has no memory log";
    let finding = deed_diag::Diagnostic::error(deed_diag::codes::HEAD_DISAGREES, message).stage("memory");
    finding.help("restore the folder `memory` of the home from a backup; or the head belongs to another home")
}
