//! `tone_and_comms`: text that the model sees.

use crate::diff::shape::Shape;

const SEEN: &str = "the model sees other text";

pub(super) const LAYER: Shape = Shape::Object(&[
    ("voice_attributes", Shape::Behaviour(SEEN)),
    ("do", Shape::Behaviour(SEEN)),
    ("dont", Shape::Behaviour(SEEN)),
    ("system_blocks", Shape::Behaviour(SEEN)),
    ("developer_blocks", Shape::Behaviour(SEEN)),
]);
