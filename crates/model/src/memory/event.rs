//! Events of the memory log. The state of every memory is a fold over them.

use super::reasons::{RejectionReason, ReviewDemand};
use crate::ReviewRole;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One entry of the memory log: the body of a link in the hash chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryLogEvent {
    /// The version of this record's format. A reader refuses a version that it does not know.
    pub format: u32,
    /// The time, in RFC 3339 and UTC.
    pub at: String,
    /// The actor, as named by the caller.
    pub actor: String,
    /// The event.
    pub event: MemoryEvent,
}

/// A transition of a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum MemoryEvent {
    /// A proposal was captured. Its content is stored by its hash, unless the checks rejected it.
    MemoryCaptured {
        /// The memory.
        memory_id: String,
        /// The hash of the proposal.
        #[schemars(with = "String")]
        content: ContentHash,
        /// The hash of the rules that judged it.
        #[schemars(with = "String")]
        rules: ContentHash,
    },
    /// The checks rejected the proposal.
    MemoryRejected {
        /// The memory.
        memory_id: String,
        /// All reasons, in order.
        reasons: Vec<RejectionReason>,
    },
    /// The proposal passed the checks, and is a candidate.
    MemoryChecked {
        /// The memory.
        memory_id: String,
        /// The parts of the proposal that decide its life.
        summary: Box<MemorySummary>,
        /// The reasons why a person must review it; empty if none has to.
        review: Vec<ReviewDemand>,
        /// The promoted facts that it contradicts and does not outrank.
        contradicts: Vec<String>,
    },
    /// A person decided about a candidate.
    MemoryReviewed {
        /// The memory.
        memory_id: String,
        /// The decision.
        decision: ReviewDecision,
        /// The role of the reviewer.
        role: ReviewRole,
        /// The reason.
        reason: String,
        /// The promoted facts that it contradicts, as the reviewer saw them; accepting it gives them up.
        contradicts: Vec<String>,
        /// True if the reviewer had proposed it too, which the registry's policy allowed.
        self_review: bool,
    },
    /// The candidate was promoted: it can be recalled from now until it expires.
    MemoryPromoted {
        /// The memory.
        memory_id: String,
        /// Its tier.
        tier: String,
        /// The lifetime of the tier, in seconds.
        ttl_seconds: i64,
        /// The first instant at which it is not recalled any more.
        expires_at: String,
        /// The grounds for its promotion.
        basis: PromotionBasis,
        /// The memories that it takes the place of.
        supersedes: Vec<String>,
    },
    /// Another memory took its place.
    MemorySuperseded {
        /// The memory.
        memory_id: String,
        /// The memory that took its place.
        by: String,
    },
    /// The end of its lifetime was recorded.
    MemoryExpired {
        /// The memory.
        memory_id: String,
    },
    /// The memory was revoked, and what it states never returns.
    MemoryRevoked {
        /// The memory.
        memory_id: String,
        /// The reason.
        reason: String,
    },
}

impl MemoryEvent {
    /// Returns the memory that the event is about.
    pub fn memory_id(&self) -> &str {
        match self {
            Self::MemoryCaptured { memory_id, .. }
            | Self::MemoryRejected { memory_id, .. }
            | Self::MemoryChecked { memory_id, .. }
            | Self::MemoryReviewed { memory_id, .. }
            | Self::MemoryPromoted { memory_id, .. }
            | Self::MemorySuperseded { memory_id, .. }
            | Self::MemoryExpired { memory_id }
            | Self::MemoryRevoked { memory_id, .. } => memory_id,
        }
    }

    /// Returns the event's name in documents.
    pub fn name(&self) -> &'static str {
        match self {
            Self::MemoryCaptured { .. } => "memory_captured",
            Self::MemoryRejected { .. } => "memory_rejected",
            Self::MemoryChecked { .. } => "memory_checked",
            Self::MemoryReviewed { .. } => "memory_reviewed",
            Self::MemoryPromoted { .. } => "memory_promoted",
            Self::MemorySuperseded { .. } => "memory_superseded",
            Self::MemoryExpired { .. } => "memory_expired",
            Self::MemoryRevoked { .. } => "memory_revoked",
        }
    }
}

/// The parts of a proposal that decide its life, without what it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemorySummary {
    /// The tenant.
    pub tenant_id: String,
    /// The subject, or `*`.
    pub subject: String,
    /// The intent, or `*`.
    pub intent_id: String,
    /// The class.
    pub class: String,
    /// The tier.
    pub tier: String,
    /// The lifetime of the tier in the pack, in seconds.
    pub ttl_seconds: i64,
    /// The confidence of the proposer.
    pub confidence: f64,
    /// The hash of what it states: two memories with the same one say the same.
    #[schemars(with = "String")]
    pub statement: ContentHash,
    /// The hash of entity and predicate; none for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub about: Option<ContentHash>,
    /// True if it holds personal data.
    pub personal_data: bool,
    /// The memory that it corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects: Option<String>,
}

/// The decision of a reviewer about a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// It may be promoted.
    Accepted,
    /// It is never promoted.
    Rejected,
}

impl ReviewDecision {
    /// Returns the decision's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
        }
    }
}

/// The grounds for a promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromotionBasis {
    /// Its confidence reached the pack's threshold, and nothing demanded a review.
    Confidence,
    /// A person accepted it.
    Review,
}

impl PromotionBasis {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confidence => "confidence",
            Self::Review => "review",
        }
    }
}
