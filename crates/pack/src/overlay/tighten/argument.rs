//! Bounds on arguments.

use super::Strictness;
use super::number::{higher, lower};
use deed_model::ArgConstraint;
use serde_json::Number;
use std::collections::BTreeMap;

/// The three numbers of a bound that may be changed.
const MIN: &str = "min";
const MAX: &str = "max";
const MAX_LENGTH: &str = "max_length";

/// Compares one number of a bound, by its name; `None` if the name is not that of a number.
pub(crate) fn bound(name: &str, from: f64, to: f64) -> Option<Strictness> {
    match name {
        MIN => Some(higher(from, to, "a higher minimum admits fewer values")),
        MAX => Some(lower(from, to, "a lower maximum admits fewer values")),
        MAX_LENGTH => Some(lower(from, to, "a shorter limit admits fewer texts")),
        _ => None,
    }
}

/// Compares all bounds of a call: every argument must keep at least its bounds.
pub(crate) fn arguments(from: &BTreeMap<String, ArgConstraint>, to: &BTreeMap<String, ArgConstraint>) -> Strictness {
    if from == to {
        return Strictness::Same;
    }
    match from.iter().find(|(name, old)| !to.get(*name).is_some_and(|new| at_least(new, old))) {
        None => Strictness::Tighter("every argument keeps at least the bounds that it had".to_owned()),
        Some((name, _)) => Strictness::Unproven(format!("the bounds of `{name}` may admit more than before")),
    }
}

/// Returns true if every value that `new` admits was admitted by `old`.
pub(super) fn at_least(new: &ArgConstraint, old: &ArgConstraint) -> bool {
    let required = old.required != Some(true) || new.required == Some(true);
    let listed = old.allowed.is_empty()
        || (!new.allowed.is_empty() && new.allowed.iter().all(|value| old.allowed.contains(value)));
    let pattern = old.pattern.is_none() || old.pattern == new.pattern;
    let length = old.max_length.is_none_or(|limit| new.max_length.is_some_and(|l| l <= limit));
    let tied = old.equals.is_none() || old.equals == new.equals;
    required
        && listed
        && tied
        && pattern
        && length
        && no_weaker(old.min.as_ref(), new.min.as_ref(), |old, new| new >= old)
        && no_weaker(old.max.as_ref(), new.max.as_ref(), |old, new| new <= old)
}

fn no_weaker(old: Option<&Number>, new: Option<&Number>, holds: fn(f64, f64) -> bool) -> bool {
    match (old.map(Number::as_f64), new.map(Number::as_f64)) {
        (None, _) => true,
        (Some(Some(old)), Some(Some(new))) => holds(old, new),
        (Some(_), _) => false,
    }
}
