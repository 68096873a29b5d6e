//! User input in messages, unless it holds a secret.

use deed_detect::SecretScanner;
use deed_diag::quote;
use serde_json::Value;

/// Quotes a text in backticks; one that holds a secret is described instead.
pub(super) fn shown(text: &str) -> String {
    if SecretScanner::standard().scan(text).is_empty() { quote(text) } else { "`[concealed]`".to_owned() }
}

/// Quotes a scalar in backticks, and describes anything larger by its kind.
pub(super) fn shown_value(value: &Value) -> String {
    match value {
        Value::Null => "`null`".to_owned(),
        Value::Bool(flag) => format!("`{flag}`"),
        Value::Number(number) => format!("`{number}`"),
        Value::String(text) => shown(text),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
