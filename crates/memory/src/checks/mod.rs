//! The checks of a proposal, one file each. A check adds its reasons; all of them are reported, and not only the first.

mod class;
mod classification;
mod consent;
mod content;
mod correction;
mod provenance;
mod revocation;
mod scope;
mod tier;

use crate::fold::MemoryState;
use deed_canon::ContentHash;
use deed_model::{MemoryProposal, MemoryRules, RejectionReason};

/// What a check reads.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'c> {
    pub(crate) state: &'c MemoryState,
    pub(crate) proposal: &'c MemoryProposal,
    pub(crate) rules: &'c MemoryRules,
    /// The hash of what the proposal states.
    pub(crate) statement: ContentHash,
    /// The hash of the fact that it is about.
    pub(crate) about: Option<ContentHash>,
    /// True if the proposal holds personal data.
    pub(crate) personal_data: bool,
}

/// Returns all reasons against a proposal, in a fixed order; none if it is a candidate.
pub(crate) fn reasons(subject: Subject<'_>) -> Vec<RejectionReason> {
    let checks = [
        content::check,
        provenance::check,
        class::check,
        scope::check,
        tier::check,
        classification::check,
        consent::check,
        correction::check,
        revocation::check,
    ];
    let mut found: Vec<RejectionReason> = checks.into_iter().flat_map(|check| check(subject)).collect();
    found.sort();
    found.dedup();
    found
}
