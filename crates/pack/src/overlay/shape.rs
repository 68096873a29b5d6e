//! The shape of an overlay: its keys, missing ones, and the kind of each change.

use super::forbidden::{self, Forbidden, Seen};
use super::shown::shown;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, codes, did_you_mean};
use deed_model::OverlayChange;
use serde_json::{Map, Value};

const TOP_KEYS: [&str; 3] = ["overlay_ref", "base", "changes"];

/// A change with a valid shape, and its place.
pub(super) struct Entry {
    /// JSON Pointer into the overlay.
    pub(super) at: String,
    /// The change.
    pub(super) change: OverlayChange,
}

/// The type of a value.
#[derive(Clone, Copy)]
enum Want {
    Text,
    Number,
    List,
}

impl Want {
    fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::List => value.is_array(),
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Number => "a number",
            Self::List => "a list",
        }
    }
}

/// The keys of one kind of change.
struct Kind {
    name: &'static str,
    required: &'static [(&'static str, Want)],
    optional: &'static [(&'static str, Want)],
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "endpoint_ref",
        required: &[("adapter_id", Want::Text), ("value", Want::Text)],
        optional: &[("rationale", Want::Text)],
    },
    Kind {
        name: "policy_threshold",
        required: &[("pointer", Want::Text), ("value", Want::Number)],
        optional: &[("rule_id", Want::Text), ("gate_id", Want::Text), ("rationale", Want::Text)],
    },
    Kind {
        name: "locale_default",
        required: &[("key", Want::Text), ("value", Want::Text)],
        optional: &[("rationale", Want::Text)],
    },
    Kind {
        name: "evaluator_threshold",
        required: &[("intent", Want::Text), ("metric", Want::Text), ("value", Want::Number)],
        optional: &[("rationale", Want::Text)],
    },
];

/// Returns the changes with a valid shape; everything else is reported.
pub(super) fn changes(document: &Document, found: &mut Vec<Diagnostic>) -> Vec<Entry> {
    let Some(top) = document.value().as_object() else {
        found.push(bad_shape(document, "", "an overlay is an object with `overlay_ref`, `base` and `changes`"));
        return Vec::new();
    };
    let mut seen = Seen::new();
    for (key, value) in top.iter().filter(|(key, _)| !TOP_KEYS.contains(&key.as_str())) {
        let mut here = Seen::new();
        let at = Pointer::push("", key);
        if let Some(forbidden) = Forbidden::of_name(key) {
            here.insert(forbidden, at.clone());
        }
        forbidden::look(value, &at, &mut here);
        if here.is_empty() {
            found.push(unknown_key(document, &at, key, &TOP_KEYS));
        }
        for (forbidden, at) in here {
            seen.entry(forbidden).or_insert(at);
        }
    }
    found.extend(seen.iter().map(|(forbidden, at)| forbidden.diagnostic(document, at)));
    for (key, want) in [("overlay_ref", Want::Text), ("base", Want::Text), ("changes", Want::List)] {
        check_key(document, top, "", key, want, Need::Required, found);
    }
    let list = top.get("changes").and_then(Value::as_array).into_iter().flatten().enumerate();
    list.filter_map(|(i, item)| {
        let at = Pointer::push("/changes", &i.to_string());
        let change = read(document, item, &at, found)?;
        Some(Entry { at, change })
    })
    .collect()
}

fn read(document: &Document, item: &Value, at: &str, found: &mut Vec<Diagnostic>) -> Option<OverlayChange> {
    let Some(members) = item.as_object() else {
        found.push(bad_shape(document, at, "a change is an object with a `kind`"));
        return None;
    };
    let kind = members.get("kind").and_then(Value::as_str);
    let known = kind.and_then(|name| KINDS.iter().find(|k| k.name == name));
    let seen = seen_in(members, known, at);
    if !seen.is_empty() {
        found.extend(seen.iter().map(|(forbidden, at)| forbidden.diagnostic(document, at)));
        return None;
    }
    let before = found.len();
    match (known, kind) {
        (Some(known), _) => check_keys(document, members, known, at, found),
        (None, Some(name)) => found.push(unknown_kind(document, &Pointer::push(at, "kind"), name)),
        (None, None) => check_key(document, members, at, "kind", Want::Text, Need::Required, found),
    }
    if found.len() > before {
        return None;
    }
    let change = serde_json::from_value(item.clone());
    change.map_err(|e| found.push(bad_shape(document, at, &format!("the change cannot be read: {e}")))).ok()
}

/// Returns the forbidden parts of a change: in a known kind only keys beyond its own are searched.
fn seen_in(members: &Map<String, Value>, known: Option<&Kind>, at: &str) -> Seen {
    let mut seen = Seen::new();
    let Some(known) = known else {
        forbidden::look(&Value::Object(members.clone()), at, &mut seen);
        return seen;
    };
    for (key, value) in members {
        let here = Pointer::push(at, key);
        let own = key == "kind" || keys(known).any(|name| name == key);
        if !own && let Some(forbidden) = Forbidden::of_name(key) {
            seen.entry(forbidden).or_insert_with(|| here.clone());
        }
        match value {
            Value::Object(_) | Value::Array(_) => forbidden::look(value, &here, &mut seen),
            Value::String(text) if !own => forbidden::look(&Value::String(text.clone()), &here, &mut seen),
            Value::String(text) if leads_out(known, key, text) => {
                if let Some(forbidden) = Forbidden::of_path(text) {
                    seen.entry(forbidden).or_insert(here);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    seen
}

/// Returns true for a path of a known kind that leads to a place where no threshold or default can be. Inside a
/// predicate and among argument bounds every name is the author's own.
fn leads_out(known: &Kind, key: &str, text: &str) -> bool {
    match (known.name, key) {
        ("policy_threshold", "pointer") => {
            let mut steps = Pointer::tokens(text);
            let first = steps.next().unwrap_or_default();
            let bounds = steps.next().is_some_and(|second| second == "arg_constraints");
            !matches!(first.as_str(), "if" | "when") && !bounds
        }
        ("locale_default", "key") => true,
        _ => false,
    }
}

fn keys(kind: &Kind) -> impl Iterator<Item = &'static str> {
    kind.required.iter().chain(kind.optional).map(|(name, _)| *name)
}

fn check_keys(document: &Document, members: &Map<String, Value>, kind: &Kind, at: &str, found: &mut Vec<Diagnostic>) {
    for (key, want) in kind.required {
        check_key(document, members, at, key, *want, Need::Required, found);
    }
    for (key, want) in kind.optional {
        check_key(document, members, at, key, *want, Need::Optional, found);
    }
    let known: Vec<&str> = keys(kind).collect();
    for key in members.keys().filter(|key| *key != "kind" && !known.contains(&key.as_str())) {
        found.push(unknown_key(document, &Pointer::push(at, key), key, &known));
    }
    if kind.name == "policy_threshold" && members.contains_key("rule_id") == members.contains_key("gate_id") {
        found.push(bad_shape(document, at, "a `policy_threshold` names one rule or one gate"));
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Need {
    Required,
    Optional,
}

fn check_key(
    document: &Document,
    members: &Map<String, Value>,
    at: &str,
    key: &str,
    want: Want,
    need: Need,
    found: &mut Vec<Diagnostic>,
) {
    match members.get(key) {
        Some(value) if want.accepts(value) => {}
        Some(_) => {
            let message = format!("`{key}` must be {}", want.noun());
            found.push(bad_shape(document, &Pointer::push(at, key), &message));
        }
        None if need == Need::Optional => {}
        None => found.push(bad_shape(document, at, &format!("`{key}` is missing"))),
    }
}

fn bad_shape(document: &Document, at: &str, message: &str) -> Diagnostic {
    Diagnostic::error(codes::OVERLAY_SHAPE, message)
        .stage("overlay")
        .at(document.place(at))
        .help("an overlay has `overlay_ref`, `base` and `changes`, and each change a `kind` and the keys of that kind")
}

fn unknown_key(document: &Document, at: &str, key: &str, known: &[&str]) -> Diagnostic {
    let list: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let near = did_you_mean(key, known.iter().copied());
    Diagnostic::error(codes::OVERLAY_UNKNOWN_KEY, format!("unknown key {}", shown(key)))
        .stage("overlay")
        .at(document.key_place(at))
        .help(near.unwrap_or_else(|| format!("the keys here are {}", list.join(", "))))
}

fn unknown_kind(document: &Document, at: &str, kind: &str) -> Diagnostic {
    let list: Vec<String> = KINDS.iter().map(|k| format!("`{}`", k.name)).collect();
    let near = did_you_mean(kind, KINDS.iter().map(|k| k.name));
    Diagnostic::error(codes::UNKNOWN_CHANGE_KIND, format!("{} is not one of the four kinds of change", shown(kind)))
        .stage("overlay")
        .at(document.place(at))
        .help(near.unwrap_or_else(|| format!("the kinds are {}", list.join(", "))))
}
