//! Recall: the promoted memories for a run.

use crate::ANY;
use crate::fold::{MemoryRecord, MemoryState, MemoryStatus};
use deed_model::MemorySummary;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// The run that memory is recalled for.
#[derive(Debug, Clone)]
pub struct RecallQuery<'q> {
    /// The tenant of the run.
    pub tenant_id: &'q str,
    /// The subjects of the run.
    pub subjects: BTreeSet<&'q str>,
    /// The intent of the request.
    pub intent_id: &'q str,
    /// The instant that lifetimes are judged at.
    pub as_of: Timestamp,
}

/// Returns the memories that were promoted at or before the instant, have not expired at it, and were neither superseded
/// nor revoked since; of this tenant, for one of the subjects or any, and for this intent or any. The context compiler
/// judges them once more, under the pack that it compiles with.
pub fn recall<'s>(state: &'s MemoryState, query: &RecallQuery<'_>) -> Vec<&'s MemoryRecord> {
    state.records().filter(|record| is_recalled(state, query, record)).collect()
}

fn is_recalled(state: &MemoryState, query: &RecallQuery<'_>, record: &MemoryRecord) -> bool {
    let (Some(promotion), Some(summary)) = (&record.promotion, &record.summary) else { return false };
    record.status(query.as_of) == MemoryStatus::Promoted
        && promotion.has_begun(query.as_of)
        && !state.is_revoked(&summary.statement)
        && is_for(query, summary)
}

fn is_for(query: &RecallQuery<'_>, summary: &MemorySummary) -> bool {
    summary.tenant_id == query.tenant_id
        && (summary.subject == ANY || query.subjects.contains(summary.subject.as_str()))
        && (summary.intent_id == ANY || summary.intent_id == query.intent_id)
}
