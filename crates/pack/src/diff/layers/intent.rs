//! `intent_layer`: the intents that the pack handles.

use crate::diff::shape::{Keyed, Named, Order, Shape, Verdict};

pub(super) const LAYER: Shape = Shape::Object(&[("catalog", Shape::Keyed(&INTENTS))]);

const INTENTS: Keyed = Keyed {
    noun: "intent",
    id: "id",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::major("the pack handles one more intent"),
    removed: "requests of this intent are refused",
    item: Shape::Object(&[
        ("intent_class", Shape::Behaviour("predicates may read the class")),
        ("task_id", Shape::Behaviour("predicates may read the task")),
        ("description", Shape::Words),
    ]),
};
