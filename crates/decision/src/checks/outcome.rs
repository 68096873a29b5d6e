//! Outcome: the outputs have one, and the spec allows it.

use super::Cx;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict::Replan};

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Outcome);
    let outcome = cx.claim.outcome();
    sheet.require(outcome.is_some(), Replan, "/outputs/outcome", || "the outputs have no outcome".to_owned());
    let Some((spec, outcome)) = cx.spec.zip(outcome) else { return sheet };
    let allowed = spec.allowed_outcomes.iter().any(|allowed| allowed == outcome);
    sheet.require(allowed, Replan, "/outputs/outcome", || {
        format!("the allowed outcomes are {}", spec.allowed_outcomes.join(", "))
    });
    if allowed && !spec.outcome_effects.contains_key(outcome) {
        sheet.note("/outputs/outcome", "the pack states no effect of it, so it counts as acting".to_owned());
    }
    sheet
}
