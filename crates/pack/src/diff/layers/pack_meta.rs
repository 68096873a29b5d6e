//! `pack_meta`: identity, tenant, and the lifetime of cached copies.

use super::lowered;
use crate::diff::overlays;
use crate::diff::shape::{Shape, Spot, Verdict};
use crate::overlay::tighten;

pub(super) const LAYER: Shape = Shape::Object(&[
    ("pack_id", Shape::Behaviour("another id is another pack")),
    // The number itself is not a change: the changes are compared with it.
    ("pack_version", Shape::VersionNumber),
    (
        "tenant",
        Shape::Object(&[
            ("tenant_id", Shape::Behaviour("it is another tenant's pack")),
            ("name", Shape::Judged(tenant_name)),
        ]),
    ),
    ("environment_defaults", Shape::Behaviour("runs work with other defaults")),
    (
        "ttl_seconds",
        Shape::Judged(|spot| lowered(spot, "a copy that is fetched again sooner learns sooner of a revocation")),
    ),
    ("data_classification", Shape::Behaviour("data may travel differently")),
    ("data_tags", Shape::Behaviour("data may travel differently")),
    ("shared", Shape::Behaviour("other tenants may pin the pack, or no longer")),
    ("overlays", Shape::Judged(overlays::declared)),
]);

/// The name is part of the data that predicates may read.
fn tenant_name(spot: &Spot<'_>) -> Verdict {
    let path = ["tenant", "name"];
    match tighten::reader(spot.old, &path).or_else(|| tighten::reader(spot.new, &path)) {
        None => Verdict::patch("a display name, which no predicate reads"),
        Some(at) => Verdict::major(format!("the predicate at `{at}` may read it")),
    }
}
