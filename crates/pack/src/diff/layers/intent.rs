//! `intent_layer`: the intents that the pack handles.

use crate::diff::shape::{Keyed, Named, Order, Shape, Spot, Verdict};

pub(super) const LAYER: Shape = Shape::Object(&[("catalog", Shape::Keyed(&INTENTS))]);

const INTENTS: Keyed = Keyed {
    noun: "intent",
    id: "id",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::major("the pack handles one more intent"),
    removed,
    item: Shape::Object(&[
        ("intent_class", Shape::Behaviour("predicates may read the class")),
        ("task_id", Shape::Behaviour("predicates may read the task")),
        ("description", Shape::Words),
    ]),
};

/// Without a catalogue the targets define the intents, so the last entry does not take its intent with it.
fn removed(spot: &Spot<'_>) -> Verdict {
    let why = "requests of this intent are refused";
    match spot.new.intent_layer.as_ref().is_some_and(|layer| !layer.catalog.is_empty()) {
        true => Verdict::breaking(why),
        false => Verdict::major(why),
    }
}
