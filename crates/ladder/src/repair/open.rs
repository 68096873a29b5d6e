//! The objects and lists that are open at a place of a strict text.

use super::strict;
use deed_canon::Pointer;
use serde_json::Value;

/// An object or list that is open.
enum Level {
    /// With the key that was read last.
    Object(Option<String>),
    /// With the number of the item that is read.
    List(usize),
}

/// The places of the objects and lists that the beginning of a strict JSON text leaves open, outermost first.
pub(crate) fn open_containers(beginning: &str) -> Vec<String> {
    let mut levels: Vec<Level> = Vec::new();
    let mut text: Option<String> = None;
    let mut at = 0;
    while let Some(byte) = beginning.as_bytes().get(at) {
        at += 1;
        match byte {
            b'"' => {
                let end = string_end(beginning, at);
                text =
                    beginning.get(at - 1..end).and_then(|raw| strict::parse(raw).ok()).and_then(|value| match value {
                        Value::String(text) => Some(text),
                        _ => None,
                    });
                at = end;
            }
            b':' => {
                if let Some(Level::Object(key)) = levels.last_mut() {
                    *key = text.take();
                }
            }
            b',' => {
                if let Some(Level::List(index)) = levels.last_mut() {
                    *index += 1;
                }
            }
            b'{' => levels.push(Level::Object(None)),
            b'[' => levels.push(Level::List(0)),
            b'}' | b']' => {
                levels.pop();
            }
            _ => {}
        }
    }
    let mut place = String::new();
    let mut places = Vec::new();
    for level in levels {
        places.push(place.clone());
        place = match level {
            // The innermost object may have no key yet, and nothing lies beneath it.
            Level::Object(key) => Pointer::push(&place, &key.unwrap_or_default()),
            Level::List(index) => Pointer::push(&place, &index.to_string()),
        };
    }
    places
}

/// The place behind the quote that ends a string, whose text begins at `from`.
fn string_end(text: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::open_containers;

    #[test]
    fn open_levels_are_found() {
        assert_eq!(
            open_containers(r#"{"rows": [{"id": "a{"}, {"id": "b\"", "n": [1"#),
            ["", "/rows", "/rows/1", "/rows/1/n"]
        );
        assert_eq!(open_containers(r#"{"a": [1, 2], "b": {}"#), [""]);
        assert!(open_containers("[1]").is_empty());
    }
}
