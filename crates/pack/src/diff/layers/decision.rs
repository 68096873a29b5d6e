//! `decision_layer`: the decisions of a run. Audit and replay compare decisions by version.

use crate::diff::class::ChangeClass::Major;
use crate::diff::shape::{Keyed, Named, Order, Shape, Texts, Verdict};

pub(super) const LAYER: Shape = Shape::Object(&[
    ("decision_specs", Shape::Keyed(&DECISIONS)),
    ("schemas", Shape::Behaviour("records of two versions have other inputs and outputs")),
]);

const DECISIONS: Keyed = Keyed {
    noun: "decision",
    id: "decision_key",
    named: Named::Alone,
    order: Order::Free,
    added: |_| Verdict::major("the pack can take one more decision"),
    removed: "a decision can no longer be taken",
    item: Shape::Object(&[
        ("version", Shape::Behaviour("the decision has another contract")),
        ("owner_role", Shape::Behaviour("another role answers for the decision")),
        ("required_evidence", Shape::Texts(&EVIDENCE)),
        ("allowed_outcomes", Shape::Texts(&OUTCOMES)),
        ("outcome_effects", Shape::Behaviour("an outcome has another effect")),
        ("approval_mode", Shape::Behaviour("the decision is gated differently")),
        ("decision_right", Shape::Behaviour("the decision has another authority")),
        ("inputs_schema_ref", Shape::Behaviour("the decision takes other inputs")),
        ("outputs_schema_ref", Shape::Behaviour("the decision gives other outputs")),
        ("on_insufficient_evidence", Shape::Behaviour("missing evidence has another effect")),
        ("description", Shape::Words),
    ]),
};

const EVIDENCE: Texts = Texts {
    noun: "required evidence",
    order: Order::Free,
    added: (Major, "a decision that was well founded may not be any more"),
    removed: (Major, "a decision may be taken on less"),
};

const OUTCOMES: Texts = Texts {
    noun: "outcome",
    order: Order::Free,
    added: (Major, "records of two versions can no longer be compared"),
    removed: (Major, "records of two versions can no longer be compared"),
};
