//! `evaluation_layer`: score targets and release gates.

use super::lowered;
use crate::diff::shape::{Keyed, Named, Order, Shape, Spot, Verdict, typed};
use crate::overlay::tighten;
use deed_model::{EvalTarget, Metric};
use serde_json::Value;

pub(super) const LAYER: Shape =
    Shape::Object(&[("eval_targets", Shape::Keyed(&TARGETS)), ("release_gates", Shape::Keyed(&RELEASE_GATES))]);

const TARGETS: Keyed = Keyed {
    noun: "target of intent",
    id: "intent",
    named: Named::Alone,
    order: Order::Free,
    added: new_target,
    removed: |_| Verdict::major("the intent has no target any more"),
    item: Shape::Object(&[
        ("policy", Shape::Judged(|spot| score(spot, Metric::Policy))),
        ("utility", Shape::Judged(|spot| score(spot, Metric::Utility))),
        ("latency_p99_ms", Shape::Judged(|spot| score(spot, Metric::LatencyP99Ms))),
        ("safety", Shape::Judged(|spot| score(spot, Metric::Safety))),
        ("economics_cents_per_decision", Shape::Judged(|spot| score(spot, Metric::EconomicsCentsPerDecision))),
    ]),
};

const RELEASE_GATES: Keyed = Keyed {
    noun: "release gate",
    id: "metric",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::minor("one more metric may not get worse"),
    removed: |_| Verdict::major("a metric may get worse unnoticed"),
    item: Shape::Object(&[("max_delta", Shape::Judged(|spot| lowered(spot, "smaller regressions are allowed")))]),
};

/// Without a catalogue the targets define the intents, so a new target is a new intent.
fn new_target(spot: &Spot<'_>) -> Verdict {
    let intent = spot.after.and_then(typed::<EvalTarget>).map(|target| target.intent);
    let catalogued = [spot.old, spot.new].into_iter().all(|pack| {
        let catalog = pack.intent_layer.iter().flat_map(|layer| &layer.catalog);
        catalog.into_iter().any(|entry| Some(&entry.id) == intent.as_ref())
    });
    if catalogued {
        Verdict::minor("an intent that was there before is measured")
    } else {
        Verdict::major("the pack handles one more intent")
    }
}

fn score(spot: &Spot<'_>, metric: Metric) -> Verdict {
    match (spot.before.map(Value::as_f64), spot.after.and_then(Value::as_f64)) {
        (None, Some(to)) => Verdict::of(&tighten::target(metric, None, to)),
        (Some(Some(from)), Some(to)) => Verdict::of(&tighten::target(metric, Some(from), to)),
        (_, _) => Verdict::major("the metric has no target any more"),
    }
}
