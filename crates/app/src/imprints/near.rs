//! Warnings about keys that a schema does not declare and lets pass, where they are spelled almost like declared ones.

use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, Report, codes, nearest, quote};
use deed_imprint::{Expected, Imprint};
use serde_json::Value;

/// Finds such keys in a payload; the places are those in the document that it was lowered from.
pub(super) fn near_keys(imprint: &Imprint, payload: &Value, document: &Document) -> Report {
    let mut found = Vec::new();
    undeclared(&imprint.expected(), payload, "", &mut found);
    let mut report = Report::default();
    report.add_source(document.source().clone());
    for (pointer, key, near) in found {
        let message = format!("undeclared key {}, which the schema lets pass", quote(&key));
        report.push(
            Diagnostic::warning(codes::KEY_NEAR_DECLARED_ONE, message)
                .stage("imprint")
                .at(document.key_place(&pointer))
                .help(format!("did you mean {}?", quote(&near))),
        );
    }
    report
}

/// Collects the place and name of each key, and the declared name.
fn undeclared(expected: &Expected<'_>, value: &Value, at: &str, found: &mut Vec<(String, String, String)>) {
    match value {
        Value::Object(map) => {
            let unknown = expected.strangers(value);
            let declared = if unknown.is_empty() { Vec::new() } else { expected.keys(value) };
            for key in unknown {
                let names = || declared.iter().map(|declared| declared.name);
                let styled = names().find(|name| letters(name) == letters(key));
                if let Some(near) = styled.or_else(|| nearest(key, names())) {
                    found.push((Pointer::push(at, key), key.to_owned(), near.to_owned()));
                }
            }
            for (key, inner) in map {
                undeclared(&expected.key(value, key), inner, &Pointer::push(at, key), found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                undeclared(&expected.item(value, index), inner, &Pointer::push(at, &index.to_string()), found);
            }
        }
        _ => {}
    }
}

/// The letters and digits of a name, whatever its style.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
