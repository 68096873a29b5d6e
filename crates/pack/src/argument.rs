//! The value of an argument, by the name that a bound has.
//!
//! A name with dots is the path that rules read: `payment.amount` is a field of `payment`. In a list it is that field of
//! every item. An argument may also have such a name itself; then both are bounded.

use serde_json::{Map, Value};

/// What stands at the name of an argument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NamedArgument<'v> {
    /// Nothing, or null.
    Absent,
    /// A value.
    Value(&'v Value),
    /// Something on the way is no object: what the name stands for cannot be told.
    Unreadable,
}

/// Returns everything that stands at the name of an argument; at least one entry.
///
/// ```
/// use deed_pack::{NamedArgument, named_arguments};
/// let call = serde_json::json!({ "lines": [{ "amount": 1 }, {}], "payment": 5 });
/// let arguments = call.as_object().unwrap();
/// assert_eq!(named_arguments(arguments, "lines.amount").len(), 2);
/// assert_eq!(named_arguments(arguments, "payment.amount"), [NamedArgument::Unreadable]);
/// assert_eq!(named_arguments(arguments, "note"), [NamedArgument::Absent]);
/// ```
pub fn named_arguments<'v>(arguments: &'v Map<String, Value>, name: &str) -> Vec<NamedArgument<'v>> {
    let mut found = Vec::new();
    let whole = arguments.get(name);
    if let Some(value) = whole {
        found.push(of(value));
    }
    if let Some((first, rest)) = name.split_once('.') {
        match arguments.get(first) {
            Some(value) => within(value, rest, &mut found),
            None if whole.is_none() => found.push(NamedArgument::Absent),
            None => {}
        }
    }
    if found.is_empty() {
        found.push(NamedArgument::Absent);
    }
    found
}

/// Collects what stands at a path within a value.
fn within<'v>(value: &'v Value, path: &str, found: &mut Vec<NamedArgument<'v>>) {
    let (first, rest) = match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    };
    match value {
        Value::Object(fields) => match (fields.get(first), rest) {
            (None, _) => found.push(NamedArgument::Absent),
            (Some(value), None) => found.push(of(value)),
            (Some(value), Some(rest)) => within(value, rest, found),
        },
        Value::Array(items) => items.iter().for_each(|item| within(item, path, found)),
        Value::Null => found.push(NamedArgument::Absent),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => found.push(NamedArgument::Unreadable),
    }
}

fn of(value: &Value) -> NamedArgument<'_> {
    if value.is_null() { NamedArgument::Absent } else { NamedArgument::Value(value) }
}
