//! `business_context`: text that the model sees, so it changes behaviour; an additional non-negotiable constrains it.

use crate::diff::class::ChangeClass::{Major, Minor};
use crate::diff::shape::{Order, Shape, Texts};

pub(super) const LAYER: Shape = Shape::Object(&[
    ("summary", Shape::Behaviour("the model sees other text")),
    (
        "non_negotiables",
        Shape::Texts(&Texts {
            noun: "non-negotiable",
            order: Order::Meant("the model sees them in another order"),
            added: (Minor, "one more constraint is non-negotiable"),
            removed: (Major, "a constraint is no longer non-negotiable"),
        }),
    ),
]);
