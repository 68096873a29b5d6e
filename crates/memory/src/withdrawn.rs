//! Withdrawal: what the log once promoted, and does not stand by any more.

use crate::fold::{MemoryState, MemoryStatus};
use crate::statement::statement_of;
use deed_model::MemoryItem;
use jiff::Timestamp;

/// The reason why the log contradicts a memory of a caller's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withdrawal {
    /// What it states was revoked.
    Revoked,
    /// It has the id of a memory that is not promoted at the instant.
    NotPromoted(MemoryStatus),
}

/// Returns the reason why a memory of a caller's list may not stand beside what this log recalls; none if it may. The log
/// decides about its own ids, and what was revoked never returns, whoever lists it.
pub fn withdrawn(state: &MemoryState, item: &MemoryItem, at: Timestamp) -> Option<Withdrawal> {
    // A list is read with canonical values. A statement without a hash could not be compared with what was revoked.
    if statement_of(item).map_or(true, |statement| state.is_revoked(&statement)) {
        return Some(Withdrawal::Revoked);
    }
    match state.get(&item.id)?.status(at) {
        MemoryStatus::Promoted => None,
        MemoryStatus::Revoked => Some(Withdrawal::Revoked),
        status => Some(Withdrawal::NotPromoted(status)),
    }
}
