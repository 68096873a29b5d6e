//! The table of classes, a file for each layer.

mod budget;
mod business;
mod contract_meta;
mod decision;
mod evaluation;
mod intelligence;
mod intent;
mod memory;
mod pack_meta;
mod policy;
mod tone;
mod tooling;

use super::shape::{Shape, Spot, Verdict};

/// The whole pack.
pub(super) const PACK: Shape = Shape::Object(&[
    ("$schema", Shape::Words),
    ("contract_meta", contract_meta::LAYER),
    ("pack_meta", pack_meta::LAYER),
    ("intelligence_refs", intelligence::LAYER),
    ("business_context", business::LAYER),
    ("policy_layer", policy::LAYER),
    ("tooling_layer", tooling::LAYER),
    ("decision_layer", decision::LAYER),
    ("memory_layer", memory::LAYER),
    ("evaluation_layer", evaluation::LAYER),
    ("tone_and_comms", tone::LAYER),
    ("intent_layer", intent::LAYER),
    ("budget_layer", budget::LAYER),
]);

/// Judges a number that is stricter when it is lower.
fn lowered(spot: &Spot<'_>, why: &str) -> Verdict {
    match spot.numbers() {
        Some((from, to)) => Verdict::of(&crate::overlay::tighten::lower(from, to, why)),
        None => Verdict::major("it was added or removed"),
    }
}

/// Judges a number that is stricter when it is higher.
fn raised(spot: &Spot<'_>, why: &str) -> Verdict {
    match spot.numbers() {
        Some((from, to)) => Verdict::of(&crate::overlay::tighten::higher(from, to, why)),
        None => Verdict::major("it was added or removed"),
    }
}
