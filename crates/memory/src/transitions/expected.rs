//! The events that an operation of the log should have appended: for verifying a log from its start.

use super::{Review, Submission, expire, promote, propose, review, revoke};
use crate::fold::MemoryState;
use crate::statement::memory_id;
use deed_canon::timestamp;
use deed_diag::{Diagnostic, codes};
use deed_model::{MemoryEvent, MemoryLogEvent, MemoryProposal, MemoryRules, SelfReview};
use jiff::Timestamp;

/// Returns the events of the operation that begins with `entry`, as the rules give them after the events before it. `next`
/// is the event after it; `documents` are the proposal and its rules, as far as they are stored.
///
/// # Errors
/// The operation was not allowed, or no operation begins with such an event.
pub fn expected_events(
    state: &MemoryState,
    entry: &MemoryLogEvent,
    next: Option<&MemoryEvent>,
    documents: Option<(&MemoryProposal, &MemoryRules)>,
) -> Result<Vec<MemoryEvent>, Vec<Diagnostic>> {
    let at = timestamp(&entry.at).ok_or_else(|| unexpected("its time is not RFC 3339"))?;
    match &entry.event {
        MemoryEvent::MemoryCaptured { .. } => captured(state, entry, next, documents, at),
        MemoryEvent::MemoryReviewed { memory_id, decision, role, reason, self_review, .. } => {
            let self_review = if *self_review { SelfReview::Allowed } else { SelfReview::Refused };
            let (decision, role, reviewer) = (*decision, *role, entry.actor.as_str());
            review(state, Review { memory_id, decision, reviewer, role, reason, self_review, at })
        }
        MemoryEvent::MemoryPromoted { memory_id, .. } => promote(state, memory_id, at),
        MemoryEvent::MemoryRevoked { memory_id, reason } => revoke(state, memory_id, reason, at),
        MemoryEvent::MemoryExpired { .. } => Ok(expire(state, at)),
        MemoryEvent::MemoryRejected { .. }
        | MemoryEvent::MemoryChecked { .. }
        | MemoryEvent::MemorySuperseded { .. } => Err(unexpected("no operation begins with it")),
    }
}

/// A capture with what follows from it. The content of a rejected proposal is not kept, so that its reasons are taken as
/// they were recorded.
fn captured(
    state: &MemoryState,
    entry: &MemoryLogEvent,
    next: Option<&MemoryEvent>,
    documents: Option<(&MemoryProposal, &MemoryRules)>,
    at: Timestamp,
) -> Result<Vec<MemoryEvent>, Vec<Diagnostic>> {
    let MemoryEvent::MemoryCaptured { content, rules: rules_hash, .. } = &entry.event else { return Ok(Vec::new()) };
    let (content, rules_hash) = (*content, *rules_hash);
    if let Some(MemoryEvent::MemoryRejected { reasons, .. }) = next {
        let earlier = state.of_content(&content).count() as u64;
        let memory_id = memory_id(&content, earlier).map_err(|error| unexpected(&error.to_string()))?;
        if reasons.is_empty() {
            return Err(unexpected("it was rejected for no reason"));
        }
        let captured = MemoryEvent::MemoryCaptured { memory_id: memory_id.clone(), content, rules: rules_hash };
        return Ok(vec![captured, MemoryEvent::MemoryRejected { memory_id, reasons: reasons.clone() }]);
    }
    let (proposal, rules) = documents.ok_or_else(|| unexpected("its content is not stored"))?;
    propose(state, Submission { proposal, content, rules, rules_hash, at }).map(|proposed| proposed.events)
}

fn unexpected(why: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::error(codes::MEMORY_EVENT_NOT_ALLOWED, why).stage("memory")]
}
