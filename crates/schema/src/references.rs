//! References as people write them: with brackets and spaces, which a URI must not have.

use serde_json::Value;

/// Keywords that hold values and not schemas.
const VALUES: [&str; 5] = ["const", "enum", "default", "example", "examples"];

/// Percent-encodes the references of a document.
pub(crate) fn escaped_references(mut document: Value) -> Value {
    let mut left = vec![&mut document];
    while let Some(value) = left.pop() {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(reference)) = map.get_mut("$ref")
                    && !reference.chars().all(is_plain)
                {
                    *reference = match reference.split_once('#') {
                        Some((document, fragment)) => format!("{}#{}", escaped(document), escaped(fragment)),
                        None => escaped(reference),
                    };
                }
                // A `$ref` within a value is data.
                let schemas = map.iter_mut().filter(|(key, _)| !VALUES.contains(&key.as_str()));
                left.extend(schemas.map(|(_, child)| child));
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    document
}

/// Returns true for characters that a fragment may have as they are; a percent sign is taken as an escape.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@/?%".contains(c)
}

/// Percent-encodes the characters that a fragment must not have.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_plain(c) {
            out.push(c);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in c.encode_utf8(&mut bytes).bytes() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
