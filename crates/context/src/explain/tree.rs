//! The result of every expression of a predicate, redacted before anything is shortened.

use crate::redacted::Redacted;
use crate::stages::policy::without_values;
use crate::text::Redactor;
use deed_diag::Invariant as _;
use deed_logic::{Explanation, Outcome};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The maximum length of a shown value, in characters.
const LONGEST: usize = 60;

/// Returns the tree as JSON.
pub(super) fn value(node: &Explanation, redactor: &Redactor) -> Value {
    let mut out = Map::new();
    out.insert("pointer".to_owned(), json!(node.pointer));
    out.insert("expression".to_owned(), json!(node.label.to_string()));
    match &node.outcome {
        Outcome::Value(value) => out.insert("value".to_owned(), redacted(value, redactor)),
        Outcome::Other(_) => out.insert("other".to_owned(), json!("something that has no JSON or is too large")),
        Outcome::Error(error) => {
            let error = json!({ "pointer": error.pointer, "message": without_values(error) });
            out.insert("error".to_owned(), error)
        }
        Outcome::NotEvaluated => out.insert("not_evaluated".to_owned(), json!(true)),
    };
    if let Some(index) = node.element {
        out.insert("element".to_owned(), json!(index));
    }
    if node.elided > 0 {
        out.insert("elided".to_owned(), json!(node.elided));
    }
    if !node.children.is_empty() {
        out.insert("children".to_owned(), node.children.iter().map(|child| value(child, redactor)).collect());
    }
    Value::Object(out)
}

/// Returns the tree as indented text.
pub(super) fn text(node: &Explanation, redactor: &Redactor) -> String {
    let mut out = String::new();
    write(node, redactor, 0, &mut out);
    out
}

fn write(node: &Explanation, redactor: &Redactor, indent: usize, out: &mut String) {
    let _ = write!(out, "{:indent$}", "");
    if let Some(index) = node.element {
        let _ = write!(out, "[{index}] ");
    }
    let label = &node.label;
    let _ = match &node.outcome {
        Outcome::Value(value) if matches!(label, deed_logic::Label::Literal) => {
            writeln!(out, "{}", shown(value, redactor))
        }
        Outcome::Value(value) => writeln!(out, "{label} = {}", shown(value, redactor)),
        Outcome::Other(_) => writeln!(out, "{label} = something that has no JSON or is too large"),
        Outcome::Error(error) => writeln!(out, "{label} ! {}", without_values(error)),
        Outcome::NotEvaluated => writeln!(out, "{label} (not evaluated)"),
    };
    for child in &node.children {
        write(child, redactor, indent + 2, out);
    }
    if node.elided > 0 {
        let _ = writeln!(out, "{:1$}… {2} more", "", indent + 2, node.elided);
    }
}

fn redacted(value: &Value, redactor: &Redactor) -> Value {
    serde_json::to_value(Redacted(value, redactor)).invariant("a redacted value is JSON")
}

/// Returns a value as JSON, redacted first and shortened after.
fn shown(value: &Value, redactor: &Redactor) -> String {
    let text = deed_canon::canonical_string(&redacted(value, redactor)).invariant("a value has a canonical form");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).invariant("a character begins there")),
        None => text,
    }
}
