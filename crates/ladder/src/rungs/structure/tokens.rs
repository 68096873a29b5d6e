//! Tokens of a template that a model left standing, in the place of values and of keys.
//!
//! A token asks for content. One that asks for content which may be left out is taken for an answer that left it out;
//! any other refuses the payload. The first key of an object in a template may be a token that describes the object;
//! a model that copies or fills it in has described nothing, so the key is removed.

use crate::climb::{Cx, Draft, Finding, Input, Superseded};
use crate::edits::Cause;
use crate::place::{parent, push, push_index};
use deed_canon::Pointer;
use deed_diag::{Invariant as _, codes, quote};
use deed_model::Rung;
use serde_json::Value;

/// The words that stand for a value.
const VALUES: [&str; 8] = ["FILL", "OPTIONAL", "AUTO", "FILL_ENUM", "OPTIONAL_ENUM", "ONE_OF", "ANY_OF", "REF"];
/// The words that stand for a key, or describe an object.
const KEYS: [&str; 11] =
    ["FILL", "OPTIONAL", "AUTO", "ONE_OF", "ANY_OF", "WHEN", "UNLESS", "WITH", "KEY", "SERIALIZED", "REF"];

/// Removes tokens that may be left out, and refuses the others.
pub(super) fn remove(cx: Cx<'_>, draft: &mut Draft<'_>) {
    draft.findings.supersede(Superseded::Code(Rung::L0c, codes::TOKEN_LEFT));
    if let Input::Text(text) = draft.inputs.source.input
        && !may_hold_token(text)
    {
        return;
    }
    let mut found = Found::default();
    walk(draft.payload(), &mut String::new(), &mut found);
    found.keys.into_iter().for_each(|at| key(cx, draft, &at));
    found.values.into_iter().for_each(|at| value(cx, draft, &at));
}

/// A quick look, which may say yes where there is none.
fn may_hold_token(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_uppercase))
}

#[derive(Default)]
struct Found {
    keys: Vec<String>,
    values: Vec<String>,
}

fn walk(value: &Value, at: &mut String, found: &mut Found) {
    let length = at.len();
    match value {
        Value::String(text) if is_token(text, &VALUES) => found.values.push(at.clone()),
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                push_index(at, index);
                walk(inner, at, found);
                at.truncate(length);
            }
        }
        Value::Object(map) => {
            for (key, inner) in map {
                push(at, key);
                match is_token(key, &KEYS) {
                    true => found.keys.push(at.clone()),
                    false => walk(inner, at, found),
                }
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// Whether a text is a token with one of these words, perhaps with a note behind it.
fn is_token(text: &str, words: &[&str]) -> bool {
    let Some(rest) = text.strip_prefix('{') else { return false };
    let word = rest.split(['|', '}', ':']).next().unwrap_or_default();
    words.contains(&word) && rest.contains('}')
}

/// Removes the value of a key that need not be given; refuses any other.
fn value(cx: Cx<'_>, draft: &mut Draft<'_>, at: &str) {
    let payload = draft.payload();
    let text = payload.pointer(at).and_then(Value::as_str).invariant("a token was found there").to_owned();
    let expected = cx.expected(payload, at);
    if expected.choices().is_some_and(|choices| choices.iter().any(|choice| **choice == text)) {
        return;
    }
    let optional = ["{OPTIONAL", "{AUTO"].iter().any(|word| text.starts_with(word));
    if optional
        && !is_required(cx, draft, at)
        && take(draft, at, "token_removed", "the template's token was left unfilled")
    {
        return;
    }
    let message = format!("template token {} stands in the place of a value", quote(&text));
    let help = "fill it in, or leave the key out if it is optional";
    draft.find(Finding::blocking(Rung::L0c, codes::TOKEN_LEFT, at, message).help(help));
}

/// Removes a key that describes its object; refuses one that stands for a key of any name.
fn key(cx: Cx<'_>, draft: &mut Draft<'_>, at: &str) {
    let (above, name) = parent(at).invariant("a key stands in an object");
    let payload = draft.payload();
    let object = payload.pointer(above).unwrap_or(&Value::Null);
    let expected = cx.expected(payload, above);
    let listed = expected.keys(object);
    if listed.iter().any(|key| key.name == name) {
        return;
    }
    let why = "the template describes the object by it";
    if !listed.is_empty() && take(draft, at, "token_key_removed", why) {
        return;
    }
    let message = format!("template token {} stands in the place of a key", quote(&name));
    let help = "write the name of the key";
    draft.find(Finding::blocking(Rung::L0c, codes::TOKEN_LEFT, at, message).help(help));
}

fn is_required(cx: Cx<'_>, draft: &Draft<'_>, at: &str) -> bool {
    let payload = draft.payload();
    // The payload as a whole is required.
    let Some((above, name)) = parent(at) else { return true };
    let object = payload.pointer(above).unwrap_or(&Value::Null);
    let keys = cx.expected(payload, above).keys(object);
    keys.iter().find(|key| key.name == name).is_none_or(|key| key.required)
}

fn take(draft: &mut Draft<'_>, at: &str, rule: &str, why: &str) -> bool {
    if !draft.is_free(at) || !Pointer::tokens(at).all(|name| !name.is_empty()) {
        return false;
    }
    let cause = Cause { rung: Rung::L0c, rule, confidence: 900, why };
    draft.remove(at, cause)
}
