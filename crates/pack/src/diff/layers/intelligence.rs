//! `intelligence_refs`: the sources of the pack's vocabulary.

use crate::diff::class::ChangeClass::Major;
use crate::diff::effect::ChangeEffect::{Tightens, Unproven};
use crate::diff::shape::{Empty, Order, Shape, Texts};

const MEANING: &str = "the same words may mean something else";
const RETRIEVAL: &str = "other evidence is found";

pub(super) const LAYER: Shape = Shape::Object(&[
    (
        "ontology",
        Shape::Object(&[
            ("namespace", Shape::Behaviour(MEANING)),
            ("version", Shape::Behaviour(MEANING)),
            ("entity_types", texts(&TYPES)),
            ("relationship_types", texts(&TYPES)),
        ]),
    ),
    ("knowledge_graph", Shape::Behaviour("graph reads are pinned differently")),
    ("identity_layer", Shape::Object(&[("ceid_namespaces", texts(&NAMESPACES))])),
    ("embedding_keys", texts(&EMBEDDINGS)),
]);

const TYPES: Texts = list("ontology type", MEANING, Empty::Unbounded);
const NAMESPACES: Texts = list("namespace", MEANING, Empty::Nothing);
const EMBEDDINGS: Texts = list("embedding", RETRIEVAL, Empty::Nothing);

/// A list of what is admitted.
const fn list(noun: &'static str, why: &'static str, empty: Empty) -> Texts {
    Texts { noun, order: Order::Free, added: (Major, Unproven, why), removed: (Major, Tightens, why), empty }
}

const fn texts(list: &'static Texts) -> Shape {
    Shape::Texts(list)
}
