//! Numbers that may only change in one direction.

use super::Strictness;
use deed_model::{Metric, MetricDirection};
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// Returns a number as a double, which is exact: documents hold no integer beyond 2^53.
pub(crate) fn as_number(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// Compares two numbers; `None` if one of the two is not a number.
pub(super) fn movement(from: &Number, to: &Number) -> Option<Ordering> {
    to.as_f64()?.partial_cmp(&from.as_f64()?)
}

/// Judges a bound that is stricter when it is higher.
pub(crate) fn higher(from: f64, to: f64, why: &str) -> Strictness {
    directed(to.partial_cmp(&from), Ordering::Greater, "raised", why)
}

/// Judges a bound that is stricter when it is lower.
pub(crate) fn lower(from: f64, to: f64, why: &str) -> Strictness {
    directed(to.partial_cmp(&from), Ordering::Less, "lowered", why)
}

fn directed(moved: Option<Ordering>, right: Ordering, verb: &str, why: &str) -> Strictness {
    match moved {
        Some(Ordering::Equal) => Strictness::Same,
        Some(way) if way == right => Strictness::Tighter(format!("it is {verb}, and {why}")),
        Some(_) => Strictness::Looser(format!("it may only be {verb}, since {why}")),
        None => Strictness::Unproven("the two cannot be compared".to_owned()),
    }
}

/// Judges a score target; a new target can only add a requirement.
pub(crate) fn target(metric: Metric, from: Option<f64>, to: f64) -> Strictness {
    let Some(from) = from else {
        return Strictness::Tighter(format!("`{metric}` had no target, so that one more can fail"));
    };
    match metric.aim() {
        MetricDirection::Higher => higher(from, to, "a higher target is harder to reach"),
        MetricDirection::Lower => lower(from, to, "a lower target is harder to reach"),
    }
}
