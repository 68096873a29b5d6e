//! The first difference between two values.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns the JSON pointer of the first difference, keys in their sorted order; none if the values are equal.
fn first_difference(a: &Value, b: &Value) -> Option<String> {
    differences(a, b).first
}

pub(super) fn between<T: Serialize>(a: &T, b: &T) -> Option<String> {
    let (a, b) = (serde_json::to_value(a).ok()?, serde_json::to_value(b).ok()?);
    first_difference(&a, &b)
}

/// The differences of two values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Differences {
    /// The first.
    pub(super) first: Option<String>,
    /// The number of leaves that differ or are missing.
    pub(super) count: usize,
}

pub(super) fn differences(a: &Value, b: &Value) -> Differences {
    let mut found = Differences::default();
    walk(Some(a), Some(b), &mut String::new(), &mut found);
    found
}

fn walk(a: Option<&Value>, b: Option<&Value>, at: &mut String, found: &mut Differences) {
    if a == b {
        return;
    }
    let before = at.len();
    let mut inner = |a: Option<&Value>, b: Option<&Value>, key: &str, found: &mut Differences| {
        at.push('/');
        at.push_str(&key.replace('~', "~0").replace('/', "~1"));
        walk(a, b, at, found);
        at.truncate(before);
    };
    match (a, b) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            keys.into_iter().for_each(|key| inner(left.get(key), right.get(key), key, found));
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            (0..left.len().max(right.len())).for_each(|i| inner(left.get(i), right.get(i), &i.to_string(), found));
        }
        (left, right) => {
            found.count += leaves(left).max(leaves(right));
            found.first.get_or_insert_with(|| at.clone());
        }
    }
}

fn leaves(value: Option<&Value>) -> usize {
    match value {
        None => 0,
        Some(Value::Object(fields)) => fields.values().map(|value| leaves(Some(value))).sum::<usize>().max(1),
        Some(Value::Array(items)) => items.iter().map(|value| leaves(Some(value))).sum::<usize>().max(1),
        Some(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named_by_its_pointer() {
        let check = |a: Value, b: Value, at: Option<&str>| assert_eq!(first_difference(&a, &b).as_deref(), at);
        check(json!({"a": [1, 2]}), json!({"a": [1, 3]}), Some("/a/1"));
        check(json!({"a": 1}), json!({"a": 1, "b/c": 2}), Some("/b~1c"));
        check(json!([1]), json!([1]), None);
        check(json!(1), json!("1"), Some(""));
    }
}
