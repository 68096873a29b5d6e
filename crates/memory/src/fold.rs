//! The state of all memories: a fold over the events of the log.

use deed_canon::{ChainHead, ContentHash, timestamp};
use deed_model::{
    MemoryEvent, MemoryLogEvent, MemorySummary, PromotionBasis, RejectionReason, ReviewDecision, ReviewDemand,
    ReviewRole,
};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// The state of all memories.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemoryState {
    records: BTreeMap<String, MemoryRecord>,
    /// The memories of each captured content, in order.
    captured: BTreeMap<ContentHash, Vec<String>>,
    by_statement: BTreeMap<ContentHash, Vec<String>>,
    by_fact: BTreeMap<ContentHash, Vec<String>>,
    /// The statements that were revoked.
    revoked: BTreeSet<ContentHash>,
    /// The latest time of an event so far.
    latest: Option<Timestamp>,
    set_back: Vec<SetBack>,
}

/// An event with an earlier time than one before it: a clock was set back, or an earlier one was ahead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetBack {
    /// Its place in the log.
    pub seq: u64,
    /// Its time.
    pub at: String,
    /// The latest time before it.
    pub after: Timestamp,
}

/// A memory, from its capture on.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryRecord {
    /// Its id.
    pub memory_id: String,
    /// The hash of the proposal.
    pub content: ContentHash,
    /// The hash of the rules that judged it.
    pub rules: ContentHash,
    /// The time of its capture.
    pub captured_at: String,
    /// The actor who proposed it.
    pub proposer: String,
    /// The reasons of the checks that rejected it.
    pub rejected: Vec<RejectionReason>,
    /// The parts that decide its life; none if the checks rejected it.
    pub summary: Option<MemorySummary>,
    /// The reasons why a person must review it.
    pub demands: Vec<ReviewDemand>,
    /// The promoted facts that it contradicted when it was checked.
    pub contradicts: Vec<String>,
    /// The last review.
    pub review: Option<ReviewRecord>,
    /// The promotion.
    pub promotion: Option<PromotionRecord>,
    /// The memory that took its place.
    pub superseded_by: Option<String>,
    /// True once the end of its lifetime was recorded.
    pub expiry_recorded: bool,
    /// The reason of its revocation.
    pub revoked: Option<String>,
}

/// The review of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewRecord {
    /// The decision.
    pub decision: ReviewDecision,
    /// The reviewer.
    pub reviewer: String,
    /// The role of the reviewer.
    pub role: ReviewRole,
    /// The reason.
    pub reason: String,
    /// The promoted facts that the reviewer saw it contradict.
    pub contradicts: Vec<String>,
    /// True if the reviewer had proposed it too.
    pub self_review: bool,
}

/// The promotion of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromotionRecord {
    /// The time.
    pub at: String,
    /// The tier.
    pub tier: String,
    /// The lifetime in seconds.
    pub ttl_seconds: i64,
    /// The first instant at which it is not recalled any more.
    pub expires_at: String,
    /// The grounds.
    pub basis: PromotionBasis,
    /// The memories whose place it took.
    pub supersedes: Vec<String>,
    /// The hash of the event.
    pub event: ContentHash,
}

/// The standing of a memory at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryStatus {
    /// It was captured, and not checked yet.
    Captured,
    /// The checks or a reviewer rejected it.
    Rejected,
    /// It waits for a review.
    InReview,
    /// A reviewer accepted it, and it can be promoted.
    Accepted,
    /// It is promoted: it can be recalled.
    Promoted,
    /// Its lifetime has passed.
    Expired,
    /// Another memory took its place.
    Superseded,
    /// It was revoked.
    Revoked,
}

impl MemoryStatus {
    /// Every status, in the order of a life.
    pub const ALL: [Self; 8] = [
        Self::Captured,
        Self::Rejected,
        Self::InReview,
        Self::Accepted,
        Self::Promoted,
        Self::Expired,
        Self::Superseded,
        Self::Revoked,
    ];

    /// Returns the status' name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Captured => "captured",
            Self::Rejected => "rejected",
            Self::InReview => "in_review",
            Self::Accepted => "accepted",
            Self::Promoted => "promoted",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Revoked => "revoked",
        }
    }
}

impl std::fmt::Display for MemoryStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl MemoryState {
    /// Applies one more event of the log. One about a memory that was never captured changes nothing; verifying the log
    /// reports it.
    pub fn apply(&mut self, link: &ChainHead, entry: &MemoryLogEvent) {
        self.observe(link.seq, &entry.at);
        if let MemoryEvent::MemoryCaptured { memory_id, content, rules } = &entry.event {
            self.captured.entry(*content).or_default().push(memory_id.clone());
            self.records.insert(memory_id.clone(), captured(memory_id, *content, *rules, entry));
            return;
        }
        let Some(record) = self.records.get_mut(entry.event.memory_id()) else { return };
        match &entry.event {
            MemoryEvent::MemoryCaptured { .. } => {}
            MemoryEvent::MemoryRejected { reasons, .. } => record.rejected.clone_from(reasons),
            MemoryEvent::MemoryChecked { memory_id, summary, review, contradicts } => {
                record.summary = Some((**summary).clone());
                record.demands.clone_from(review);
                record.contradicts.clone_from(contradicts);
                self.by_statement.entry(summary.statement).or_default().push(memory_id.clone());
                if let Some(about) = summary.about {
                    self.by_fact.entry(about).or_default().push(memory_id.clone());
                }
            }
            MemoryEvent::MemoryReviewed { decision, role, reason, contradicts, self_review, .. } => {
                record.review = Some(ReviewRecord {
                    decision: *decision,
                    reviewer: entry.actor.clone(),
                    role: *role,
                    reason: reason.clone(),
                    contradicts: contradicts.clone(),
                    self_review: *self_review,
                });
            }
            MemoryEvent::MemoryPromoted { tier, ttl_seconds, expires_at, basis, supersedes, .. } => {
                record.promotion = Some(PromotionRecord {
                    at: entry.at.clone(),
                    tier: tier.clone(),
                    ttl_seconds: *ttl_seconds,
                    expires_at: expires_at.clone(),
                    basis: *basis,
                    supersedes: supersedes.clone(),
                    event: link.hash,
                });
            }
            MemoryEvent::MemorySuperseded { by, .. } => record.superseded_by = Some(by.clone()),
            MemoryEvent::MemoryExpired { .. } => record.expiry_recorded = true,
            MemoryEvent::MemoryRevoked { reason, .. } => {
                record.revoked = Some(reason.clone());
                self.revoked.extend(record.summary.as_ref().map(|summary| summary.statement));
            }
        }
    }

    /// Keeps the latest time, and notes an earlier one.
    fn observe(&mut self, seq: u64, at: &str) {
        let Some(own) = timestamp(at) else { return };
        match self.latest {
            Some(after) if own < after => self.set_back.push(SetBack { seq, at: at.to_owned(), after }),
            Some(_) | None => self.latest = Some(own),
        }
    }

    /// Returns the time of a clock, or the latest time of the log where the clock is behind it: what has expired by then
    /// stays expired.
    pub fn now(&self, clock: Timestamp) -> Timestamp {
        self.latest.map_or(clock, |latest| latest.max(clock))
    }

    /// Iterates over the events with an earlier time than one before them, in order.
    pub fn set_back(&self) -> impl Iterator<Item = &SetBack> {
        self.set_back.iter()
    }

    /// Returns a memory.
    pub fn get(&self, memory_id: &str) -> Option<&MemoryRecord> {
        self.records.get(memory_id)
    }

    /// Iterates over all memories, by id.
    pub fn records(&self) -> impl Iterator<Item = &MemoryRecord> {
        self.records.values()
    }

    /// Returns true if a statement was revoked.
    pub fn is_revoked(&self, statement: &ContentHash) -> bool {
        self.revoked.contains(statement)
    }

    /// The memories of a content, in order of their capture.
    pub(crate) fn of_content(&self, content: &ContentHash) -> impl DoubleEndedIterator<Item = &MemoryRecord> {
        self.listed(self.captured.get(content))
    }

    /// The memories that state the same.
    pub(crate) fn of_statement(&self, statement: &ContentHash) -> impl DoubleEndedIterator<Item = &MemoryRecord> {
        self.listed(self.by_statement.get(statement))
    }

    /// The memories about a fact.
    pub(crate) fn of_fact(&self, about: &ContentHash) -> impl DoubleEndedIterator<Item = &MemoryRecord> {
        self.listed(self.by_fact.get(about))
    }

    fn listed<'s>(&'s self, ids: Option<&'s Vec<String>>) -> impl DoubleEndedIterator<Item = &'s MemoryRecord> {
        ids.into_iter().flatten().filter_map(|id| self.records.get(id))
    }
}

fn captured(memory_id: &str, content: ContentHash, rules: ContentHash, entry: &MemoryLogEvent) -> MemoryRecord {
    MemoryRecord {
        memory_id: memory_id.to_owned(),
        content,
        rules,
        captured_at: entry.at.clone(),
        proposer: entry.actor.clone(),
        rejected: Vec::new(),
        summary: None,
        demands: Vec::new(),
        contradicts: Vec::new(),
        review: None,
        promotion: None,
        superseded_by: None,
        expiry_recorded: false,
        revoked: None,
    }
}

impl MemoryRecord {
    /// Returns the standing of the memory at an instant.
    pub fn status(&self, at: Timestamp) -> MemoryStatus {
        if self.revoked.is_some() {
            return MemoryStatus::Revoked;
        }
        if self.superseded_by.is_some() {
            return MemoryStatus::Superseded;
        }
        if let Some(promotion) = &self.promotion {
            return if promotion.is_over(at) { MemoryStatus::Expired } else { MemoryStatus::Promoted };
        }
        match (&self.review, &self.summary, self.rejected.is_empty()) {
            (_, _, false) => MemoryStatus::Rejected,
            (_, None, true) => MemoryStatus::Captured,
            (Some(review), Some(_), true) => match review.decision {
                ReviewDecision::Accepted => MemoryStatus::Accepted,
                ReviewDecision::Rejected => MemoryStatus::Rejected,
            },
            (None, Some(_), true) => MemoryStatus::InReview,
        }
    }

    /// Returns true if it is promoted, and its lifetime has not passed at an instant. One that was promoted later counts.
    pub(crate) fn is_live(&self, at: Timestamp) -> bool {
        self.status(at) == MemoryStatus::Promoted
    }

    /// Returns true if a person accepted what was promoted.
    pub(crate) fn was_reviewed(&self) -> bool {
        self.promotion.as_ref().is_some_and(|promotion| promotion.basis == PromotionBasis::Review)
    }

    /// Returns true if its content was stored: what the checks reject is not kept.
    pub fn keeps_content(&self) -> bool {
        self.rejected.is_empty()
    }
}

impl PromotionRecord {
    /// Returns true if the lifetime has passed: at its very end it has. An end that cannot be read has passed.
    pub(crate) fn is_over(&self, at: Timestamp) -> bool {
        timestamp(&self.expires_at).is_none_or(|end| at >= end)
    }

    /// Returns true if it was promoted at or before an instant.
    pub(crate) fn has_begun(&self, at: Timestamp) -> bool {
        timestamp(&self.at).is_some_and(|begin| begin <= at)
    }
}
