//! Values as YAML that people read: short lists on one line, texts without quotes where they need none.

use serde_json::{Map, Value};

/// The longest line that a list or a map is written on.
const WIDTH: usize = 110;

/// Returns a document with its members in the order given. A comment stands above it.
pub(crate) fn document(comment: &str, members: &[(&str, Value)]) -> String {
    let mut out = format!("# {comment}\n");
    members.iter().for_each(|(key, value)| member(&mut out, key, value, 0));
    out
}

/// Writes a member that has members of its own, in the order given.
pub(crate) fn section(out: &mut String, key: &str, members: &[(&str, Value)]) {
    out.push_str(&format!("{key}:\n"));
    members.iter().for_each(|(key, value)| member(out, key, value, 2));
}

/// Writes a member on lines of its own.
pub(super) fn member(out: &mut String, key: &str, value: &Value, column: usize) {
    let key = flow(&Value::from(key));
    out.push_str(&format!("{}{key}:{}\n", " ".repeat(column), after(value, column, key.chars().count() + column)));
}

/// Returns what stands after the colon of a key, without the end of the line.
pub(super) fn after_key(value: &Value, column: usize) -> String {
    after(value, column, WIDTH)
}

fn after(value: &Value, column: usize, used: usize) -> String {
    match value {
        Value::Object(fields) if fits(fields.values(), value, used) => format!(" {}", flow(value)),
        Value::Array(items) if fits(items.iter(), value, used) => format!(" {}", flow(value)),
        Value::Object(fields) => block(fields, column + 2),
        Value::Array(items) => list(items, column + 2),
        scalar => format!(" {}", flow(scalar)),
    }
}

/// Returns true if a collection has no collections in it that are not empty, and is short enough for one line.
fn fits<'v>(mut inner: impl Iterator<Item = &'v Value>, whole: &Value, used: usize) -> bool {
    let is_flat = |value: &Value| match value {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.iter().all(|item| !item.is_object() && !item.is_array()),
        _ => true,
    };
    inner.all(is_flat) && used + flow(whole).chars().count() + 2 <= WIDTH
}

fn block(fields: &Map<String, Value>, column: usize) -> String {
    let mut out = String::new();
    for (key, value) in fields {
        out.push('\n');
        member(&mut out, key, value, column);
        out.pop();
    }
    if fields.is_empty() { " {}".to_owned() } else { out }
}

fn list(items: &[Value], column: usize) -> String {
    let mut out = String::new();
    for item in items {
        let text = match item {
            Value::Object(fields) if !fields.is_empty() => {
                let lines = block(fields, column + 2);
                lines.trim_start().to_owned()
            }
            other => flow(other),
        };
        out.push_str(&format!("\n{}- {text}", " ".repeat(column)));
    }
    if items.is_empty() { " []".to_owned() } else { out }
}

/// Returns a value on one line.
pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let pairs =
                fields.iter().map(|(key, value)| format!("{}: {}", flow(&Value::from(key.as_str())), flow(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// Returns true if a text reads as itself without quotes, whatever stands around it.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf"];
    let begins = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    // A colon ends a key only before a blank, and a `#` begins a comment only after one.
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | ':' | '#');
    begins && !text.ends_with(':') && text.chars().all(allowed) && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use deed_diag::{Document, Format};
    use serde_json::json;

    #[test]
    fn what_is_written_reads_as_it_was() {
        for value in [
            json!({ "a": "yes", "b": "1.0", "c": [], "d": {}, "e": [{ "x": 1, "y": ["a: b", "#c", "- d"] }], "f": null }),
            json!({ "deep": { "deeper": { "deepest": [[1, 2], [], {}, { "k": "v\nw" }] } }, "n": -1.5e300 }),
            json!({ "text": "many words, some: with colons", "key with space": true, "": "empty", "unicode": "naïve \u{202e}" }),
            json!({ "long": (0..40).map(|i| format!("tool:adapter.capability:call_{i}")).collect::<Vec<_>>() }),
            json!({ "list": [[{ "a": 1 }], [["x"]]], "sha": "sha256:00ff", "ends:": "a:", "kg": ["kg:o:1#s", "a:b"], "flow": { "k:v": "x:y" }, "time": "2026-05-09T10:00:00Z" }),
        ] {
            let members: Vec<(&str, Value)> =
                value.as_object().unwrap().iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
            let text = document("A comment.", &members);
            let read = Document::read("a.yaml", text.as_bytes(), Format::Yaml).unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(*read.value(), value, "{text}");
        }
    }
}
