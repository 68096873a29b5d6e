//! The tier: one of the four, with a lifetime in the pack.

use super::Subject;
use deed_model::RejectionReason;

/// The tiers, in order of their lifetimes.
const TIERS: [&str; 4] = ["working", "episodic", "semantic", "durable"];

pub(super) fn check(subject: Subject<'_>) -> Vec<RejectionReason> {
    let tier = subject.proposal.tier.as_str();
    if !TIERS.contains(&tier) {
        return vec![RejectionReason::UnknownTier];
    }
    let lives = subject.rules.tiers.iter().any(|its| its.tier == tier);
    (!lives).then_some(RejectionReason::TierWithoutTtl).into_iter().collect()
}
