//! The ends of lifetimes are recorded.

use crate::fold::{MemoryState, MemoryStatus};
use deed_model::MemoryEvent;
use jiff::Timestamp;

/// Records every promoted memory whose lifetime has passed. A memory is not recalled from that instant on, whether this was
/// recorded or not.
pub fn expire(state: &MemoryState, at: Timestamp) -> Vec<MemoryEvent> {
    let at = state.now(at);
    let due = state.records().filter(|record| record.status(at) == MemoryStatus::Expired && !record.expiry_recorded);
    due.map(|record| MemoryEvent::MemoryExpired { memory_id: record.memory_id.clone() }).collect()
}
