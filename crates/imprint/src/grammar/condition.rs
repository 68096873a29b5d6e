//! The condition of `{WHEN}` and `{UNLESS}`: one segment for each key that it asks about.
//!
//! `kind=a/b` holds while the key has one of the values, `kind!=a` while it has none of them. The word `absent` in
//! the list stands for a key that is not given: `kind=a/absent`, `kind!=absent`.

use super::is_simple;
use super::render::value_text;
use crate::template::KeyTest;
use serde_json::Value;

/// The word for a key that is not given; the same text as a value is written in quotes.
const ABSENT: &str = "absent";

/// Writes one test as a segment.
pub(super) fn write(test: &KeyTest) -> String {
    let bare = |text: &str| is_simple(text) && text != ABSENT;
    let name = if bare(&test.name) { test.name.clone() } else { quoted(&test.name) };
    let value = |value: &Value| match value {
        Value::String(text) if !bare(text) => quoted(text),
        other => value_text(other),
    };
    let mut values: Vec<String> = test.values.iter().map(value).collect();
    if test.absent {
        values.push(ABSENT.to_owned());
    }
    format!("{name}{}{}", if test.negated { "!=" } else { "=" }, values.join("/"))
}

/// Reads one segment; `None` if it is not a test.
pub(super) fn read(segment: &str) -> Option<KeyTest> {
    let (name, rest) = match quoted_prefix(segment) {
        Some(found) => found,
        None => {
            let end = segment.find(['=', '!'])?;
            let (name, rest) = segment.split_at_checked(end)?;
            (name.to_owned(), rest)
        }
    };
    let (negated, mut rest) = match rest.strip_prefix("!=") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('=')?),
    };
    let mut test = KeyTest { name, values: Vec::new(), absent: false, negated };
    loop {
        if let Some((text, tail)) = quoted_prefix(rest) {
            test.values.push(Value::String(text));
            rest = tail;
        } else {
            let (word, tail) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len()))?;
            match word {
                ABSENT => test.absent = true,
                word => test.values.push(super::parse::read_value(word)),
            }
            rest = tail;
        }
        match rest.strip_prefix('/') {
            Some(tail) => rest = tail,
            None if rest.is_empty() => return Some(test),
            None => return None,
        }
    }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// The JSON string that a text begins with, and what follows it.
fn quoted_prefix(text: &str) -> Option<(String, &str)> {
    if !text.starts_with('"') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let read = values.next()?.ok()?;
    Some((read, text.get(values.byte_offset()..)?))
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::template::KeyTest;
    use serde_json::{Value, json};

    #[test]
    fn tests_are_read_as_they_are_written() {
        let test = |name: &str, values: &[Value], absent, negated| KeyTest {
            name: name.to_owned(),
            values: values.to_vec(),
            absent,
            negated,
        };
        for (test, expected) in [
            (test("kind", &[json!("a")], false, false), "kind=a"),
            (test("kind", &[json!("a"), json!(1), json!("1"), json!(null)], true, false), "kind=a/1/\"1\"/null/absent"),
            (test("kind", &[], true, true), "kind!=absent"),
            (test("kind", &[json!("absent"), json!("a/b"), json!("x \"y\"")], false, true), ""),
            (test("a=b", &[json!("")], false, false), "\"a=b\"=\"\""),
            (test("absent", &[json!(true), json!(1.5)], false, false), "\"absent\"=true/1.5"),
            (test("", &[json!("New York")], true, false), "\"\"=\"New York\"/absent"),
        ] {
            let written = write(&test);
            assert!(expected.is_empty() || written == expected, "{written}");
            assert_eq!(read(&written), Some(test), "{written}");
        }
        for bad in ["kind", "kind!a", "\"kind\"", "kind=\"a\"b", "=", ""] {
            assert!(bad == "=" || read(bad).is_none(), "{bad}");
        }
    }
}
