//! `intelligence_refs`: the sources of the pack's vocabulary.

use crate::diff::class::ChangeClass::Major;
use crate::diff::shape::{Order, Shape, Texts};

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

const TYPES: Texts =
    Texts { noun: "ontology type", order: Order::Free, added: (Major, MEANING), removed: (Major, MEANING) };
const NAMESPACES: Texts =
    Texts { noun: "namespace", order: Order::Free, added: (Major, MEANING), removed: (Major, MEANING) };
const EMBEDDINGS: Texts =
    Texts { noun: "embedding", order: Order::Free, added: (Major, RETRIEVAL), removed: (Major, RETRIEVAL) };

const fn texts(list: &'static Texts) -> Shape {
    Shape::Texts(list)
}
