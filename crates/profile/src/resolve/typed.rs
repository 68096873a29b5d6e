//! Typed values of the chain. The built-in defaults set each of them, and schemas decided their types.

use crate::chain::EffectiveValues;
use deed_diag::Invariant as _;
use deed_model::{ProfileTimeouts, ReasoningSwitches, RoutingStrategy};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Returns a number that the built-in defaults set.
pub(super) fn number(values: &EffectiveValues, key: &str) -> u64 {
    values.get(key).and_then(|found| found.value.as_u64()).invariant("the built-in defaults set it")
}

/// Returns the seven timeouts.
pub(super) fn timeouts(values: &EffectiveValues) -> ProfileTimeouts {
    group(values, "timeouts/")
}

/// Returns the master switches of reasoning.
pub(super) fn reasoning(values: &EffectiveValues) -> ReasoningSwitches {
    group(values, "reasoning/")
}

/// Returns the routing strategy. Settings have none, so its default stands here.
pub(super) fn strategy(values: &EffectiveValues) -> RoutingStrategy {
    values.get("routing_strategy").map_or(RoutingStrategy::CapsuleFirst, |found| {
        serde_json::from_value(found.value.clone()).ok().invariant("a strategy that was written can be read")
    })
}

/// Reads the values below a key as one document.
fn group<T: DeserializeOwned>(values: &EffectiveValues, prefix: &str) -> T {
    let members: Map<String, Value> = values
        .iter()
        .filter_map(|(key, found)| Some((key.strip_prefix(prefix)?.to_owned(), found.value.clone())))
        .collect();
    serde_json::from_value(Value::Object(members)).ok().invariant("values that were written can be read")
}
