//! `budget_layer`: the share of each bucket.

use crate::diff::shape::Shape;

pub(super) const LAYER: Shape = Shape::Object(&[
    ("default_total", Shape::Behaviour("other blocks fit into the prompt")),
    ("splits", Shape::Behaviour("other blocks fit into the prompt")),
]);
