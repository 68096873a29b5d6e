//! Comparison of a golden case with that of the base: each expectation must still be stated, or implied.
//!
//! The replay gate judges whether the values hold. Here is judged whether the candidate's case still looks at everything that
//! the case of the base looks at.

use serde_json::{Map, Value};

/// Returns why a changed case proves less; `None` if its expectations follow a change that loosens nothing.
pub(super) fn weaker(before: &Value, after: &Value, loosened: bool) -> Option<String> {
    let inputs = |case: &Value| {
        let part = |name: &str| {
            let mut part = case.get(name).cloned().unwrap_or_default();
            // The references follow the version of the pack.
            part.as_object_mut().map(|members| members.remove("context_pack_refs"));
            part
        };
        ["request", "run", "evidence", "memory", "overlays"].map(part)
    };
    if inputs(before) != inputs(after) {
        return Some("the case checks another request".to_owned());
    }
    let expect = |case: &Value| case.get("expect").and_then(Value::as_object).cloned().unwrap_or_default();
    let (had, has) = (expect(before), expect(after));
    if let Some(tool) = call_loosened(had.get("calls"), has.get("calls")) {
        return Some(format!("the case now expects that a call of {tool} needs less"));
    }
    let unstated = had.iter().find_map(|(name, before)| unstated(name, before, &has));
    match unstated {
        Some(lost) => Some(format!("the case expects less: it no longer states {lost}")),
        None if loosened => Some("the case now expects what is looser".to_owned()),
        None => None,
    }
}

/// The lists that state what is there as a whole, by the map that states something about each member.
fn whole_of(name: &str) -> Option<&'static str> {
    match name {
        "verdicts" => Some("rules"),
        "hidden" | "arguments" => Some("tools"),
        "rejected_evidence" => Some("evidence"),
        "rejected_memory" => Some("memory"),
        _ => None,
    }
}

/// Returns what an expectation of the base states and the candidate's case does not.
fn unstated(name: &str, before: &Value, has: &Map<String, Value>) -> Option<String> {
    let now = has.get(name);
    match (name, before) {
        ("prompt_has", Value::Array(texts)) => {
            let implied = |text: &str| strings(now).any(|own| own.contains(text));
            let lost = texts.iter().filter_map(Value::as_str).find(|text| !implied(text));
            lost.map(|_| "a text of `prompt_has`".to_owned())
        }
        ("prompt_lacks", Value::Array(texts)) => {
            // A prompt that lacks a text lacks every longer one that has it.
            let implied = |text: &str| strings(now).any(|own| !own.is_empty() && text.contains(own));
            let lost = texts.iter().filter_map(Value::as_str).find(|text| !implied(text));
            lost.map(|_| "a text of `prompt_lacks`".to_owned())
        }
        ("calls", Value::Array(calls)) => {
            let stated =
                |call: &Value| now.and_then(Value::as_array).into_iter().flatten().any(|own| same_call(own, call));
            calls.iter().find(|call| !stated(call)).map(|_| "a call of `calls`".to_owned())
        }
        // Exhaustive: what is not listed is stated to be none.
        ("redactions" | "dropped", _) => now.is_none().then(|| format!("`{name}`")),
        (_, Value::Object(members)) => members.iter().find_map(|(key, before)| {
            let lost = match now.and_then(|now| now.get(key)) {
                Some(now) => fields_lost(before, now),
                None => !stated_otherwise(name, key, has),
            };
            lost.then(|| format!("`{name}` of {}", deed_diag::quote(key)))
        }),
        _ => now.is_none().then(|| format!("`{name}`")),
    }
}

/// Returns true if two calls have one tool and the same arguments.
fn same_call(a: &Value, b: &Value) -> bool {
    let part = |call: &Value, name: &str| call.get(name).cloned().unwrap_or_default();
    let arguments = |call: &Value| match part(call, "arguments") {
        Value::Null => Value::Object(Map::new()),
        given => given,
    };
    part(a, "tool") == part(b, "tool") && arguments(a) == arguments(b)
}

/// Returns the tool of a call that got a stricter verdict in the base.
fn call_loosened(before: Option<&Value>, after: Option<&Value>) -> Option<String> {
    let list = |calls: Option<&Value>| calls.and_then(Value::as_array).cloned().unwrap_or_default();
    let strictness = |call: &Value| match call.get("expect").and_then(Value::as_str) {
        Some("deny") => 2,
        Some("needs_approval") => 1,
        _ => 0,
    };
    let now = list(after);
    let looser = |old: &Value| now.iter().any(|own| same_call(own, old) && strictness(own) < strictness(old));
    let found = list(before).into_iter().find(looser)?;
    found.get("tool").and_then(Value::as_str).map(deed_diag::quote)
}

/// Returns true if an object lost members at any depth.
fn fields_lost(before: &Value, now: &Value) -> bool {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            before.iter().any(|(key, before)| now.get(key).is_none_or(|now| fields_lost(before, now)))
        }
        (Value::Object(_), _) => true,
        _ => false,
    }
}

/// Returns true if the case states as a whole what became of a member that it says nothing about any more.
fn stated_otherwise(name: &str, key: &str, has: &Map<String, Value>) -> bool {
    let Some(whole) = whole_of(name).and_then(|whole| has.get(whole)).and_then(Value::as_array) else { return false };
    let listed = whole.iter().any(|member| member.as_str() == Some(key));
    match name {
        // A rule that does not fire has no verdict, and a tool that is not surfaced has no bounds.
        "verdicts" | "arguments" => !listed,
        // What is surfaced is not hidden, and what is admitted is not rejected.
        _ => listed,
    }
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
