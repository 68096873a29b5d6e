//! `pack_meta`: identity, tenant, and the lifetime of cached copies.

use super::lowered;
use crate::diff::effect::ChangeEffect;
use crate::diff::overlays;
use crate::diff::shape::{Shape, Spot, Verdict};
use crate::overlay::tighten;
use serde_json::Value;
use std::collections::BTreeSet;

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
    ("environment_defaults", Shape::Judged(defaults)),
    (
        "ttl_seconds",
        Shape::Judged(|spot| lowered(spot, "a copy that is fetched again sooner learns sooner of a revocation")),
    ),
    ("data_classification", Shape::Behaviour("data may travel differently")),
    ("data_tags", Shape::Judged(tags)),
    ("shared", Shape::Judged(shared)),
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

/// The defaults are in the prompt, and predicates may read them.
fn defaults(spot: &Spot<'_>) -> Verdict {
    let verdict = Verdict::major("runs work with other defaults");
    match tighten::reader(spot.old, &["env"]).or_else(|| tighten::reader(spot.new, &["env"])) {
        None => verdict.with(ChangeEffect::PromptText),
        Some(at) => Verdict::major(format!("the predicate at `{at}` may read it")),
    }
}

/// A pack that lists no tags bounds none.
fn tags(spot: &Spot<'_>) -> Verdict {
    let list = |value: Option<&Value>| -> BTreeSet<String> {
        let items = value.and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (before, after) = (list(spot.before), list(spot.after));
    let why = "data may travel differently";
    match !after.is_empty() && (before.is_empty() || after.is_subset(&before)) {
        true => Verdict::breaking(why),
        false => Verdict::major(why),
    }
}

fn shared(spot: &Spot<'_>) -> Verdict {
    match spot.after.and_then(Value::as_bool) {
        Some(true) => Verdict::major("other tenants may pin the pack"),
        Some(false) | None => Verdict::breaking("other tenants may no longer pin the pack"),
    }
}
