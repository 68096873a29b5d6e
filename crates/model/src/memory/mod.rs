//! The memory pipeline: proposals, the rules of the pack that judged them, and the events that their life consists of.

mod event;
mod proposal;
mod reasons;
mod recalled;
mod rules;

pub use event::{MemoryEvent, MemoryLogEvent, MemorySummary, PromotionBasis, ReviewDecision};
pub use proposal::MemoryProposal;
pub use reasons::{RejectionReason, ReviewDemand};
pub use recalled::{MemoryOrigin, RecalledMemory};
pub use rules::{MemoryRules, TierLifetime};
