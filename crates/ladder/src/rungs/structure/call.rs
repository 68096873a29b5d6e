//! The envelope of a call to a tool: `{"name": "book", "arguments": {…}}`, as the wire protocols of providers write it.
//!
//! The value that is asked for is what the call hands over. Its name, id and type say which tool was meant, which the
//! contract already does.

use serde_json::Value;

/// The keys that hold what a call hands over.
const HANDED: [&str; 5] = ["arguments", "parameters", "input", "args", "function"];
/// The keys that stand beside it.
const BESIDE: [&str; 8] = ["name", "id", "type", "call_id", "index", "tool", "tool_name", "recipient_name"];
/// The types by which a call says that it is one.
const TYPES: [&str; 4] = ["function", "tool_use", "function_call", "tool_call"];

/// Returns the key and the content of what a call hands over; none if the value is not exactly one call.
pub(super) fn handed_over(value: &Value) -> Option<(&String, &Value)> {
    let map = value.as_object()?;
    let mut handed = map.iter().filter(|(key, _)| HANDED.contains(&key.as_str()));
    let (Some(content), None) = (handed.next(), handed.next()) else { return None };
    let beside = |(key, value): (&String, &Value)| {
        key == content.0 || (BESIDE.contains(&key.as_str()) && !value.is_object() && !value.is_array())
    };
    let names_tool =
        ["name", "tool", "tool_name", "recipient_name"].iter().any(|key| map.get(*key).is_some_and(Value::is_string));
    let is_typed = map.get("type").and_then(Value::as_str).is_some_and(|name| TYPES.contains(&name));
    (map.iter().all(beside) && map.len() > 1 && (names_tool || is_typed)).then_some(content)
}

/// Returns the only call of a list of calls.
pub(super) fn only_call(value: &Value) -> Option<&Value> {
    let [call] = value.as_array()?.as_slice() else { return None };
    handed_over(call).map(|_| call)
}

#[cfg(test)]
mod tests {
    use super::{handed_over, only_call};
    use serde_json::json;

    #[test]
    fn calls_are_told_from_other_objects() {
        let handed = |value: &serde_json::Value| handed_over(value).map(|(_, content)| content.clone());
        let one = json!({ "name": "book", "arguments": { "a": 1 } });
        assert_eq!(handed(&one), Some(json!({ "a": 1 })));
        let typed = json!({ "type": "tool_use", "id": "t1", "name": "book", "input": { "a": 1 } });
        assert_eq!(handed(&typed), Some(json!({ "a": 1 })));
        assert_eq!(handed(&json!({ "arguments": { "a": 1 } })), None);
        assert_eq!(handed(&json!({ "name": "book", "arguments": {}, "total": 3 })), None);
        assert_eq!(handed(&json!({ "name": "book", "arguments": {}, "input": {} })), None);
        assert_eq!(handed(&json!({ "name": { "first": "A" }, "input": {} })), None);
        assert_eq!(only_call(&json!([one.clone()])), Some(&one));
        assert_eq!(only_call(&json!([one.clone(), one])), None);
    }
}
