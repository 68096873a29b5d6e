//! Reads records of climbs. A record repeats payloads, so it is larger than any of them and deeper by its own levels.

use crate::error::AppError;
use crate::files;
use deed_diag::MAX_DOCUMENT_BYTES;
use serde_json::{Map, Value};
use std::path::Path;

/// The size in bytes of the largest record that is read.
pub const LARGEST: u64 = 8 * MAX_DOCUMENT_BYTES;
/// Levels that a record adds to the values in it: `data`, `report`, `changes`, a change, `patch`, an operation.
const ADDED: usize = 8;

/// Reads the bytes of a record, or of a payload as it was printed, with the name of their file.
pub(super) fn bytes(path: &Path) -> Result<(String, Vec<u8>), AppError> {
    let file = files::read_up_to(path, LARGEST)?;
    Ok((file.name, file.bytes))
}

/// Parses JSON whose values are as deep as any document, below the levels that a record adds. As strict as the reader of
/// documents; none if that refuses it.
pub(super) fn value(bytes: &[u8]) -> Option<Value> {
    read(std::str::from_utf8(bytes).ok()?.trim_matches(is_blank), ADDED)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn read(text: &str, levels: usize) -> Option<Value> {
    let inner = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let Some(levels) = levels.checked_sub(1) else { return deed_canon::parse(text.as_bytes()).ok() };
    if let Some(members) = inner('{', '}') {
        let mut map = Map::new();
        for member in parts(members, ',')? {
            let [key, value] = parts(member, ':')?.try_into().ok()?;
            let key = deed_canon::parse(key.as_bytes()).ok()?;
            // Of a duplicate key, two programs could read different values.
            if map.insert(key.as_str()?.to_owned(), read(value, levels)?).is_some() {
                return None;
            }
        }
        return Some(Value::Object(map));
    }
    if let Some(items) = inner('[', ']') {
        return parts(items, ',')?.into_iter().map(|item| read(item, levels)).collect::<Option<_>>().map(Value::Array);
    }
    deed_canon::parse(text.as_bytes()).ok()
}

/// Splits a text at separators outside of brackets and strings; none if brackets or strings do not match.
fn parts(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let (mut depth, mut from, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if quoted {
            (quoted, escaped) = (escaped || byte != b'"', byte == b'\\' && !escaped);
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ if depth == 0 && char::from(byte) == separator => {
                found.push(text.get(from..at)?.trim_matches(is_blank));
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = text.get(from..)?.trim_matches(is_blank);
    if !found.is_empty() || !last.is_empty() {
        found.push(last);
    }
    (depth == 0 && !quoted).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::value;
    use serde_json::json;

    #[test]
    fn agrees_with_the_reader_of_documents() {
        for text in [
            r#"{"a": [1, {"b": "x,]\"}"}, []], "c": {}, "d\u0041": null}"#,
            " [ ] ",
            "{}",
            "3",
            r#""a""#,
            "[[1,2],[3]]",
        ] {
            assert_eq!(value(text.as_bytes()), deed_canon::parse(text.as_bytes()).ok(), "{text}");
        }
    }

    #[test]
    fn refuses_malformed_json() {
        for text in [
            "[1,]",
            "{,}",
            "[,1]",
            r#"{"a":1,"a":1}"#,
            r#"{"a" 1}"#,
            r#"{"a":1:2}"#,
            "[1}",
            "{a:1}",
            "[1",
            "",
            "[\u{a0}]",
        ] {
            assert_eq!(value(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn values_in_a_record_may_be_as_deep_as_documents() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let record =
            |levels: usize| format!(r#"{{"report": {{"changes": [{{"patch": [{{"value": {}}}]}}]}}}}"#, deep(levels));
        assert!(value(record(128).as_bytes()).is_some());
        assert_eq!(value(record(140).as_bytes()), None);
        assert_eq!(value(record(1).as_bytes()).unwrap()["report"]["changes"][0]["patch"][0]["value"], json!([]));
    }
}
