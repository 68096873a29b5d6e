//! A walk over the places of a payload.

use deed_canon::Pointer;
use serde_json::Value;

/// Finds the first place, depth first, at which a value is looked for. One buffer holds the place, since there may be
/// millions.
pub(super) fn first_place(payload: &Value, is_it: &mut dyn FnMut(&str, &Value) -> bool) -> Option<String> {
    beneath(payload, &mut String::new(), is_it)
}

fn beneath(value: &Value, at: &mut String, is_it: &mut dyn FnMut(&str, &Value) -> bool) -> Option<String> {
    if is_it(at, value) {
        return Some(at.clone());
    }
    let here = at.len();
    let mut step = |at: &mut String, name: &str, inner: &Value| {
        at.push('/');
        at.push_str(name);
        let found = beneath(inner, at, is_it);
        at.truncate(here);
        found
    };
    match value {
        Value::Object(map) => map.iter().find_map(|(key, inner)| step(at, &Pointer::escape(key), inner)),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, inner)| step(at, &index.to_string(), inner)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}
