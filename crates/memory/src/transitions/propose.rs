//! A proposal is captured and checked; it becomes a candidate or is rejected, and is promoted if nothing demands a review.

use super::promote::promotion;
use crate::checks::{self, Subject};
use crate::contradiction::contradictions;
use crate::fold::{MemoryState, MemoryStatus};
use crate::personal::holds_personal_data;
use crate::statement::{about, memory_id, statement};
use deed_canon::{CanonError, ContentHash};
use deed_diag::{Diagnostic, Invariant as _, codes};
use deed_model::{
    MemoryEvent, MemoryProposal, MemoryRules, MemorySummary, PackOrigin, PromotionBasis, RejectionReason, ReviewDemand,
};
use jiff::Timestamp;
use serde_json::Value;

/// A proposal and what it is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Submission<'s> {
    /// The proposal.
    pub proposal: &'s MemoryProposal,
    /// The hash of its stored bytes.
    pub content: ContentHash,
    /// The rules of the pack.
    pub rules: &'s MemoryRules,
    /// The hash of their stored bytes.
    pub rules_hash: ContentHash,
    /// The time.
    pub at: Timestamp,
}

/// The outcome of a proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposed {
    /// The memory.
    pub memory_id: String,
    /// The events to append; none if the same is known already.
    pub events: Vec<MemoryEvent>,
    /// The reasons of the checks that rejected it; its content is not kept then.
    pub rejected: Vec<RejectionReason>,
}

/// Captures and checks a proposal. The same proposal again, while the first is open or promoted, is that one.
///
/// # Errors
/// The proposal has no canonical form, so that nothing can be compared with it.
pub fn propose(state: &MemoryState, submission: Submission<'_>) -> Result<Proposed, Vec<Diagnostic>> {
    let Submission { proposal, content, rules, rules_hash, at } = submission;
    let statement = statement(proposal).map_err(no_canonical_form)?;
    let about = about(proposal).map_err(no_canonical_form)?;
    let personal_data = proposal.personal_data || is_personal(proposal);
    let rejected = checks::reasons(Subject { state, proposal, rules, statement, about, personal_data });
    if let Some(earlier) = state.of_content(&content).next_back() {
        let open = matches!(
            earlier.status(state.now(at)),
            MemoryStatus::InReview | MemoryStatus::Accepted | MemoryStatus::Promoted
        );
        let repeated = !rejected.is_empty() && earlier.rejected == rejected && earlier.rules == rules_hash;
        if open || repeated {
            let memory_id = earlier.memory_id.clone();
            return Ok(Proposed { memory_id, events: Vec::new(), rejected: earlier.rejected.clone() });
        }
    }
    let memory_id = memory_id(&content, state.of_content(&content).count() as u64).map_err(no_canonical_form)?;
    let mut events = vec![MemoryEvent::MemoryCaptured { memory_id: memory_id.clone(), content, rules: rules_hash }];
    let lifetime = rules.tiers.iter().find(|its| its.tier == proposal.tier);
    if !rejected.is_empty() {
        events.push(MemoryEvent::MemoryRejected { memory_id: memory_id.clone(), reasons: rejected.clone() });
        return Ok(Proposed { memory_id, events, rejected });
    }
    let ttl_seconds = lifetime.invariant("the tier of a memory that is not rejected has a lifetime").ttl_seconds;
    let summary = MemorySummary {
        tenant_id: proposal.tenant_id.clone(),
        subject: proposal.subject.clone(),
        intent_id: proposal.intent_id.clone(),
        class: proposal.class.clone(),
        tier: proposal.tier.clone(),
        ttl_seconds,
        confidence: proposal.confidence,
        statement,
        about,
        personal_data,
        corrects: proposal.corrects.clone(),
    };
    let contradicts = contradictions(state, &summary, at).open;
    let review = demands(&summary, rules, &contradicts);
    let is_free = review.is_empty();
    let checked = MemoryEvent::MemoryChecked {
        memory_id: memory_id.clone(),
        summary: Box::new(summary.clone()),
        review,
        contradicts,
    };
    events.push(checked);
    if is_free {
        events.extend(promotion(state, &memory_id, &summary, PromotionBasis::Confidence, &[], at)?);
    }
    Ok(Proposed { memory_id, events, rejected })
}

/// Returns the reasons why a person must review a candidate.
fn demands(summary: &MemorySummary, rules: &MemoryRules, contradicts: &[String]) -> Vec<ReviewDemand> {
    let mut demands = Vec::new();
    match rules.auto_promote_confidence {
        None => demands.push(ReviewDemand::NoThreshold),
        Some(threshold) if summary.confidence < threshold => demands.push(ReviewDemand::LowConfidence),
        Some(_) => {}
    }
    if rules.pack_origin != PackOrigin::Proven {
        demands.push(ReviewDemand::UnprovenPack);
    }
    if summary.personal_data {
        demands.push(ReviewDemand::PersonalData);
    }
    if !contradicts.is_empty() {
        demands.push(ReviewDemand::Contradiction);
    }
    demands
}

/// Returns true if a part of a proposal is personal data, as far as detectors know it.
fn is_personal(proposal: &MemoryProposal) -> bool {
    let named = [&proposal.text, &proposal.entity, &proposal.predicate, &proposal.consent, &proposal.corrects];
    let ids = [&proposal.subject, &proposal.intent_id];
    let texts = named.into_iter().flatten().chain(ids).chain(&proposal.provenance).map(String::as_str);
    holds_personal_data(texts, proposal.predicate.as_deref(), proposal.value.as_ref().unwrap_or(&Value::Null))
}

fn no_canonical_form(error: CanonError) -> Vec<Diagnostic> {
    let message = format!("the proposal has no canonical form: {error}");
    let finding = Diagnostic::error(codes::INPUT_WITHOUT_CANONICAL_FORM, message).stage("memory");
    vec![finding.help("write large numbers as text")]
}
