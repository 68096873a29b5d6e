//! `contract_meta`: notes have no effect; consumers pin identity, issuer and compatibility.

use crate::diff::shape::Shape;

pub(super) const LAYER: Shape = Shape::Object(&[
    ("contract_name", Shape::Behaviour("consumers pin the contract by its name")),
    ("contract_version", Shape::Behaviour("another contract version is another schema")),
    ("issuer", Shape::Behaviour("another issuer is another signature")),
    ("created_at", Shape::Words),
    ("compatibility", Shape::Behaviour("runtimes that took the pack before may refuse it, or the other way round")),
    ("description", Shape::Words),
    ("owner", Shape::Words),
]);
