//! `tone_and_comms`: text that the model sees.

use crate::diff::shape::Shape;

const SEEN: &str = "the model sees other text";

pub(super) const LAYER: Shape = Shape::Object(&[
    ("voice_attributes", Shape::Prompt(SEEN)),
    ("do", Shape::Prompt(SEEN)),
    ("dont", Shape::Prompt(SEEN)),
    ("system_blocks", Shape::Prompt(SEEN)),
    ("developer_blocks", Shape::Prompt(SEEN)),
]);
