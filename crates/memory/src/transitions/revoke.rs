//! A promoted memory is revoked, with everything that states the same.

use super::{known, reasoned, wrong_status};
use crate::fold::{MemoryRecord, MemoryState};
use deed_diag::{Diagnostic, Invariant as _};
use deed_model::MemoryEvent;
use jiff::Timestamp;

/// Revokes a memory that was promoted, and every other promoted memory that states the same: what was revoked never
/// returns, under no other subject or intent either.
///
/// # Errors
/// There is no such memory, it was never promoted, or there is no reason.
pub fn revoke(
    state: &MemoryState,
    memory_id: &str,
    reason: &str,
    at: Timestamp,
) -> Result<Vec<MemoryEvent>, Vec<Diagnostic>> {
    let record = known(state, memory_id)?;
    if record.promotion.is_none() {
        return Err(wrong_status(record, at, "only what was promoted can be revoked"));
    }
    reasoned(memory_id, reason)?;
    let summary = record.summary.as_ref().invariant("a promoted memory was checked");
    let stands = |its: &&MemoryRecord| its.promotion.is_some() && its.revoked.is_none();
    let same = state.of_statement(&summary.statement).filter(stands);
    let revoked =
        |its: &MemoryRecord| MemoryEvent::MemoryRevoked { memory_id: its.memory_id.clone(), reason: reason.to_owned() };
    Ok(same.map(revoked).collect())
}
