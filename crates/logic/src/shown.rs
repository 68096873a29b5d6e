//! Values in messages: named by type, never longer than 60 characters.

use serde_json::Value;

const LONGEST: usize = 60;

/// Returns at most 60 characters of a text.
pub(crate) fn clip(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(LONGEST - 1).collect();
    out.push('…');
    out
}

/// Returns the JSON text of a value, clipped. Long values are not serialized in full.
pub(crate) fn shown(value: &Value) -> String {
    let mut out = String::new();
    write_shown(value, &mut out);
    clip(&out)
}

fn write_shown(value: &Value, out: &mut String) {
    if out.len() > 4 * LONGEST {
        return;
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
        Value::String(text) => out.push_str(&Value::from(clip(text)).to_string()),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate().take(LONGEST) {
                if i > 0 {
                    out.push(',');
                }
                write_shown(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (i, (key, item)) in fields.iter().enumerate().take(LONGEST) {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(clip(key)).to_string());
                out.push(':');
                write_shown(item, out);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_values_are_clipped() {
        assert_eq!(shown(&json!({"a": [1, "b"]})), r#"{"a":[1,"b"]}"#);
        assert_eq!(shown(&json!("x".repeat(500))).chars().count(), 60);
        assert_eq!(shown(&json!(vec!["xy"; 500])).chars().count(), 60);
    }
}
