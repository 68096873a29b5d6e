//! An accepted candidate is promoted, and takes the place of what it outranks.

use super::{known, place, wrong_status};
use crate::contradiction::{contradictions, replaced};
use crate::fold::{MemoryState, MemoryStatus};
use deed_diag::{Diagnostic, Invariant as _, codes};
use deed_model::{MemoryEvent, MemorySummary, PromotionBasis};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;

/// Promotes a candidate that a person accepted.
///
/// # Errors
/// There is no such candidate, it was not accepted, what it states was revoked meanwhile, or it contradicts a promoted
/// fact that its reviewer did not see.
pub fn promote(state: &MemoryState, memory_id: &str, at: Timestamp) -> Result<Vec<MemoryEvent>, Vec<Diagnostic>> {
    let record = known(state, memory_id)?;
    // A clock that was set back makes nothing promoted again.
    let now = state.now(at);
    match record.status(now) {
        MemoryStatus::Accepted => {}
        MemoryStatus::Promoted => return Ok(Vec::new()),
        MemoryStatus::InReview => {
            let demands: Vec<&str> = record.demands.iter().map(|demand| demand.as_str()).collect();
            let message = format!("memory `{memory_id}` needs a review: {}", demands.join(", "));
            let finding = Diagnostic::error(codes::MEMORY_REVIEW_REQUIRED, message).stage("memory");
            let help =
                format!("another person decides: `deed memory review {memory_id} --accept --as ROLE --reason …`");
            return Err(vec![finding.at(place(memory_id)).help(help)]);
        }
        MemoryStatus::Captured
        | MemoryStatus::Rejected
        | MemoryStatus::Expired
        | MemoryStatus::Superseded
        | MemoryStatus::Revoked => return Err(wrong_status(record, now, "only an accepted candidate is promoted")),
    }
    let summary = record.summary.as_ref().invariant("a candidate was checked");
    let review = record.review.as_ref().invariant("an accepted candidate was reviewed");
    promotion(state, memory_id, summary, PromotionBasis::Review, &review.contradicts, at)
}

/// Returns the events of a promotion. `given_up` are the promoted facts that a reviewer gave up for it.
pub(super) fn promotion(
    state: &MemoryState,
    memory_id: &str,
    summary: &MemorySummary,
    basis: PromotionBasis,
    given_up: &[String],
    at: Timestamp,
) -> Result<Vec<MemoryEvent>, Vec<Diagnostic>> {
    if state.is_revoked(&summary.statement) {
        let message = format!("what memory `{memory_id}` states was revoked after it was proposed");
        let finding = Diagnostic::error(codes::MEMORY_REVOKED_BEFORE, message).stage("memory").at(place(memory_id));
        return Err(vec![finding.help("what was revoked never returns: reject the candidate")]);
    }
    let found = contradictions(state, summary, at);
    let unseen: Vec<&str> = found.open.iter().filter(|id| !given_up.contains(id)).map(String::as_str).collect();
    if !unseen.is_empty() {
        let message =
            format!("memory `{memory_id}` contradicts what was promoted since its review: {}", unseen.join(", "));
        let finding = Diagnostic::error(codes::MEMORY_CONTRADICTS, message).stage("memory").at(place(memory_id));
        return Err(vec![finding.help("review it again: accepting it gives up what it contradicts")]);
    }
    let supersedes: BTreeSet<String> =
        replaced(state, summary, at).into_iter().chain(found.outranked).chain(found.open).collect();
    let end = at.checked_add(SignedDuration::from_secs(summary.ttl_seconds)).unwrap_or(Timestamp::MAX);
    let mut events = vec![MemoryEvent::MemoryPromoted {
        memory_id: memory_id.to_owned(),
        tier: summary.tier.clone(),
        ttl_seconds: summary.ttl_seconds,
        expires_at: end.to_string(),
        basis,
        supersedes: supersedes.iter().cloned().collect(),
    }];
    let superseded = |id: String| MemoryEvent::MemorySuperseded { memory_id: id, by: memory_id.to_owned() };
    events.extend(supersedes.into_iter().map(superseded));
    Ok(events)
}
