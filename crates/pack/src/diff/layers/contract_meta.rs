//! `contract_meta`: notes have no effect; consumers pin identity, issuer and compatibility.

use crate::diff::effect::ChangeEffect;
use crate::diff::shape::{Shape, Spot, Verdict};
use crate::diff::values::same;
use serde_json::Value;

pub(super) const LAYER: Shape = Shape::Object(&[
    ("contract_name", Shape::Judged(|_| named("consumers pin the contract by its name"))),
    ("contract_version", Shape::Judged(|_| named("another contract version is another schema"))),
    ("issuer", Shape::Behaviour("another issuer is another signature")),
    ("created_at", Shape::Words),
    ("compatibility", Shape::Judged(compatibility)),
    ("description", Shape::Words),
    ("owner", Shape::Words),
]);

/// A name that consumers pin, and that nothing is enforced by.
fn named(why: &str) -> Verdict {
    Verdict::major(why).with(ChangeEffect::None)
}

/// One more requirement refuses more; another range is not compared.
fn compatibility(spot: &Spot<'_>) -> Verdict {
    let why = "runtimes that took the pack before may refuse it, or the other way round";
    let (Some(Value::Object(before)), Some(Value::Object(after))) = (spot.before, spot.after) else {
        return Verdict::major(why);
    };
    let keeps = before.iter().all(|(part, before)| match (before, after.get(part)) {
        (Value::Object(before), Some(Value::Object(after))) if part == "requires" => {
            before.iter().all(|(name, range)| after.get(name).is_some_and(|now| same(range, now)))
        }
        (before, Some(after)) => same(before, after),
        (_, None) => false,
    });
    let only_requires = after.keys().all(|part| part == "requires" || before.contains_key(part));
    if keeps && only_requires { Verdict::breaking("one more component is required") } else { Verdict::major(why) }
}
