//! Numbers whose marks contradict each other: beside `3,50` the point of `1.234` may group thousands.

use super::numbers::{has_decimal_comma, is_grouped_by_point};
use crate::climb::{Cx, Draft};
use deed_canon::Pointer;
use deed_imprint::ValueKind;
use serde_json::Value;

/// Returns whether a payload has a number with a decimal comma, and another with a point that may group thousands.
pub(super) fn are_mixed(cx: Cx<'_>, draft: &Draft<'_>) -> bool {
    let is_number = |at: &str| {
        let expected = cx.expected(draft.payload(), at);
        expected.takes_only(ValueKind::Number) || expected.takes_only(ValueKind::Integer)
    };
    let has_comma = |value: &Value, at: &str| match value {
        Value::String(text) => has_decimal_comma(text) && is_number(at),
        _ => false,
    };
    let has_point = |value: &Value, at: &str| match value {
        Value::String(text) => is_grouped_by_point(text) && is_number(at),
        Value::Number(number) if number.is_f64() => {
            draft.inputs.source.written(number).is_some_and(|written| is_grouped_by_point(&written))
        }
        _ => false,
    };
    holds(draft.payload(), "", &has_comma) && holds(draft.payload(), "", &has_point)
}

/// Returns whether a test holds for a value or for one beneath it.
fn holds(value: &Value, at: &str, test: &dyn Fn(&Value, &str) -> bool) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(key, inner)| holds(inner, &Pointer::push(at, key), test)),
        Value::Array(items) => {
            items.iter().enumerate().any(|(index, inner)| holds(inner, &format!("{at}/{index}"), test))
        }
        leaf => test(leaf, at),
    }
}
