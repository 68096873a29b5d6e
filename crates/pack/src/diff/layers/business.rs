//! `business_context`: text that the model sees, so it changes behaviour; an additional non-negotiable constrains it.

use crate::diff::class::ChangeClass::{Major, Minor};
use crate::diff::effect::ChangeEffect::PromptText;
use crate::diff::shape::{Empty, Order, Shape, Texts};

pub(super) const LAYER: Shape = Shape::Object(&[
    ("summary", Shape::Prompt("the model sees other text")),
    (
        "non_negotiables",
        Shape::Texts(&Texts {
            noun: "non-negotiable",
            order: Order::Read("the model sees them in another order"),
            added: (Minor, PromptText, "one more constraint is non-negotiable"),
            removed: (Major, PromptText, "a constraint is no longer non-negotiable"),
            empty: Empty::Nothing,
        }),
    ),
]);
