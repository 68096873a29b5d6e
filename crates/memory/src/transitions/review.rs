//! A person accepts or rejects a candidate.

use super::{known, place, reasoned, wrong_status};
use crate::contradiction::contradictions;
use crate::fold::{MemoryRecord, MemoryState, MemoryStatus};
use crate::spelling::compared_name;
use deed_diag::{Diagnostic, Invariant as _, codes};
use deed_model::{MemoryEvent, ReviewDecision, ReviewDemand, ReviewRole, SelfReview};
use jiff::Timestamp;

/// The decision of a person about a candidate.
#[derive(Debug, Clone, Copy)]
pub struct Review<'r> {
    /// The memory.
    pub memory_id: &'r str,
    /// The decision.
    pub decision: ReviewDecision,
    /// The person.
    pub reviewer: &'r str,
    /// The role of the person.
    pub role: ReviewRole,
    /// The reason.
    pub reason: &'r str,
    /// The registry's rule for those who review what they proposed.
    pub self_review: SelfReview,
    /// The time.
    pub at: Timestamp,
}

/// Decides about a candidate that waits for a review, or was accepted and not promoted yet. Accepting it gives up the
/// promoted facts that it contradicts now.
///
/// # Errors
/// There is no such candidate, the person may not decide, or gives no reason.
pub fn review(state: &MemoryState, review: Review<'_>) -> Result<Vec<MemoryEvent>, Vec<Diagnostic>> {
    let record = known(state, review.memory_id)?;
    let open = matches!(record.status(review.at), MemoryStatus::InReview | MemoryStatus::Accepted);
    if !open {
        return Err(wrong_status(record, review.at, "only a candidate is reviewed"));
    }
    reasoned(review.memory_id, review.reason)?;
    entitled(record, &review)?;
    let summary = record.summary.as_ref().invariant("a candidate was checked");
    let contradicts = contradictions(state, summary, review.at).open;
    let self_review = is_own(record, review.reviewer);
    let same = record.review.as_ref().is_some_and(|earlier| {
        earlier.decision == review.decision
            && earlier.reviewer == review.reviewer
            && earlier.role == review.role
            && earlier.reason == review.reason
            && earlier.contradicts == contradicts
    });
    if same {
        return Ok(Vec::new());
    }
    Ok(vec![MemoryEvent::MemoryReviewed {
        memory_id: review.memory_id.to_owned(),
        decision: review.decision,
        role: review.role,
        reason: review.reason.to_owned(),
        contradicts,
        self_review,
    }])
}

/// Returns true if the reviewer is who proposed the memory, however the name is spelled.
fn is_own(record: &MemoryRecord, reviewer: &str) -> bool {
    compared_name(&record.proposer) == compared_name(reviewer)
}

/// Refuses a person who proposed the memory, unless the registry allows it, and a role that does not decide about personal
/// data.
fn entitled(record: &MemoryRecord, review: &Review<'_>) -> Result<(), Vec<Diagnostic>> {
    if is_own(record, review.reviewer) && review.self_review == SelfReview::Refused {
        let message = format!("`{}` proposed this memory, and may not review it", review.reviewer);
        let finding = Diagnostic::error(codes::MEMORY_SELF_REVIEW, message).stage("memory").at(place(review.memory_id));
        let help = "have another person review it; `deed registry policy set` can allow self-review, on record";
        return Err(vec![finding.help(help)]);
    }
    let personal = record.demands.contains(&ReviewDemand::PersonalData);
    if personal && review.decision == ReviewDecision::Accepted && review.role != ReviewRole::Data {
        let message = format!("role `{}` may not accept a memory with personal data", review.role);
        let finding = Diagnostic::error(codes::MEMORY_REVIEW_ROLE, message).stage("memory").at(place(review.memory_id));
        return Err(vec![finding.help("the role `data` decides about personal data: `--as data`")]);
    }
    Ok(())
}
