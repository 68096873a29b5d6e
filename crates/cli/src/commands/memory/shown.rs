//! A memory as it is printed: its standing and what decided it, without what it says.

use crate::commands::recorded::{Recorded, event};
use crate::text::writeln;
use deed_memory::{MemoryRecord, MemoryStatus};
use deed_model::{RejectionReason, ReviewDecision, ReviewDemand, ReviewRole};
use deed_store::Outcome;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// A memory.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MemoryData {
    /// Its id.
    memory_id: String,
    /// `captured`, `rejected`, `in_review`, `accepted`, `promoted`, `expired`, `superseded` or `revoked`.
    status: String,
    /// The time of its capture.
    captured_at: String,
    /// The actor who proposed it.
    proposer: String,
    /// Its tenant; null where the checks rejected it, as all of the next five.
    tenant_id: Option<String>,
    /// Its subject.
    subject: Option<String>,
    /// Its intent.
    intent_id: Option<String>,
    /// Its class.
    class: Option<String>,
    /// Its tier.
    tier: Option<String>,
    /// The confidence of the proposer.
    confidence: Option<f64>,
    /// The reasons of the checks that rejected it.
    rejected: Vec<RejectionReason>,
    /// The reasons why a person must review it.
    review_demanded: Vec<ReviewDemand>,
    /// The promoted facts that it contradicted when it was checked.
    contradicts: Vec<String>,
    /// The last review.
    review: Option<ReviewData>,
    /// The promotion.
    promotion: Option<PromotionData>,
    /// The memory that took its place.
    superseded_by: Option<String>,
    /// The reason of its revocation.
    revoked: Option<String>,
}

/// A review.
#[derive(Debug, Serialize, JsonSchema)]
struct ReviewData {
    /// The decision.
    decision: ReviewDecision,
    /// The reviewer.
    reviewer: String,
    /// The role of the reviewer.
    role: ReviewRole,
    /// The reason.
    reason: String,
    /// True if the reviewer had proposed it too.
    self_review: bool,
}

/// A promotion.
#[derive(Debug, Serialize, JsonSchema)]
struct PromotionData {
    /// The time.
    at: String,
    /// The first instant at which it is not recalled any more.
    expires_at: String,
    /// `confidence` or `review`.
    basis: String,
    /// The memories whose place it took.
    supersedes: Vec<String>,
    /// The hash of the event.
    event: String,
}

/// A memory after a command, with the end of what the command recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChangedMemory {
    /// The memory.
    memory: MemoryData,
    /// The last event that was appended; null where the same was recorded before.
    event: Option<Recorded>,
}

impl ChangedMemory {
    pub(super) fn of(record: &MemoryRecord, status: MemoryStatus, outcome: &Outcome) -> Self {
        Self { memory: MemoryData::of(record, status), event: event(outcome) }
    }
}

impl MemoryData {
    pub(super) fn of(record: &MemoryRecord, status: MemoryStatus) -> Self {
        let summary = record.summary.as_ref();
        Self {
            memory_id: record.memory_id.clone(),
            status: status.to_string(),
            captured_at: record.captured_at.clone(),
            proposer: record.proposer.clone(),
            tenant_id: summary.map(|its| its.tenant_id.clone()),
            subject: summary.map(|its| its.subject.clone()),
            intent_id: summary.map(|its| its.intent_id.clone()),
            class: summary.map(|its| its.class.clone()),
            tier: summary.map(|its| its.tier.clone()),
            confidence: summary.map(|its| its.confidence),
            rejected: record.rejected.clone(),
            review_demanded: record.demands.clone(),
            contradicts: record.contradicts.clone(),
            review: record.review.as_ref().map(|its| ReviewData {
                decision: its.decision,
                reviewer: its.reviewer.clone(),
                role: its.role,
                reason: its.reason.clone(),
                self_review: its.self_review,
            }),
            promotion: record.promotion.as_ref().map(|its| PromotionData {
                at: its.at.clone(),
                expires_at: its.expires_at.clone(),
                basis: its.basis.as_str().to_owned(),
                supersedes: its.supersedes.clone(),
                event: its.event.to_string(),
            }),
            superseded_by: record.superseded_by.clone(),
            revoked: record.revoked.clone(),
        }
    }
}

/// Returns a memory in one line: its id, its standing, and what it is for.
pub(super) fn line(record: &MemoryRecord, status: MemoryStatus) -> String {
    let mut out = String::new();
    let what = match &record.summary {
        Some(its) => format!("{} {} for {} of {}", its.tier, its.class, its.intent_id, its.subject),
        None => record.rejected.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", "),
    };
    let _ = writeln!(out, "{}  {:<10} {what}", record.memory_id, status.as_str());
    out
}

/// Returns what follows from the standing of a memory, in one line.
pub(super) fn remark(record: &MemoryRecord, status: MemoryStatus) -> String {
    let id = &record.memory_id;
    match status {
        MemoryStatus::Captured => "captured".to_owned(),
        MemoryStatus::Rejected => "rejected: it is not a candidate, and is never recalled".to_owned(),
        MemoryStatus::InReview => {
            let demands: Vec<&str> = record.demands.iter().map(|demand| demand.as_str()).collect();
            let contradicts = match record.contradicts.is_empty() {
                true => String::new(),
                false => format!("; it contradicts {}", record.contradicts.join(", ")),
            };
            format!("a candidate that needs a review ({}){contradicts}: `deed memory review {id}`", demands.join(", "))
        }
        MemoryStatus::Accepted => format!("accepted: `deed memory promote {id}` promotes it"),
        MemoryStatus::Promoted => {
            let until = record.promotion.as_ref().map_or("", |promotion| promotion.expires_at.as_str());
            format!("promoted: it is recalled until {until}")
        }
        MemoryStatus::Expired => "expired: its lifetime has passed".to_owned(),
        MemoryStatus::Superseded => "superseded: another memory took its place".to_owned(),
        MemoryStatus::Revoked => "revoked: it is never recalled again".to_owned(),
    }
}
