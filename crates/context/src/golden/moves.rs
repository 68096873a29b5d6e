//! The fields of a case that moved, with the stage that decides each of them.

use super::observe::Observation;
use deed_canon::Pointer;
use deed_detect::sensitive_ranges;
use deed_diag::{Invariant as _, quote};
use deed_model::{GoldenExpectation, Stage};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// An expectation that does not hold: the stage that decides it, its place, and the values before and after.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GoldenMove {
    /// The stage; none if only the hash of the whole moved, and neither the case nor a base says where.
    pub stage: Option<Stage>,
    /// JSON Pointer into the case, or into the correction of a packet.
    pub pointer: String,
    /// The expected value.
    pub before: Option<Value>,
    /// The value there now; none if it cannot be expected any more.
    pub after: Option<Value>,
}

impl GoldenMove {
    /// Returns the move in one line: stage, place, before and after.
    pub fn line(&self) -> String {
        let (before, after) = (shown(self.before.as_ref()), shown(self.after.as_ref()));
        match self.stage {
            Some(stage) => format!("stage `{stage}` moved at {}: {before} -> {after}", self.pointer),
            None => format!("{}: {before} -> {after}; compare with another version to learn the stage", self.pointer),
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| quote(&value.to_string()))
}

/// Returns the expectations that do not hold, in the order of stages.
pub(super) fn moves(asked: &GoldenExpectation, seen: &Observation<'_, '_>) -> Vec<GoldenMove> {
    let (before, after) = (fields(asked), fields(&seen.expectation(asked)));
    let mut found = Vec::new();
    for (name, before) in &before {
        let after = after.get(name);
        // The keys of a map are compared one by one, as they are expected.
        match (before, after) {
            (Value::Object(old), new) if !old.is_empty() => {
                let empty = Map::new();
                let new = new.and_then(Value::as_object).unwrap_or(&empty);
                let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
                for key in keys.into_iter().filter(|key| old.get(*key) != new.get(*key)) {
                    let pointer = Pointer::push(&pointer(name), key);
                    found.push(moved(stage_of_entry(name, key, seen), pointer, old.get(key), new.get(key)));
                }
            }
            (old, new) if Some(old) == new => {}
            (old, new) => found.push(moved(stage_of(name, seen), pointer(name), Some(old), new)),
        }
    }
    // The hash of the whole moves with the first stage that does.
    let first = found.iter().filter_map(|moved| moved.stage).min();
    found.iter_mut().filter(|moved| moved.stage.is_none()).for_each(|moved| moved.stage = first);
    found.sort_by_key(|moved| moved.stage);
    found
}

fn pointer(name: &str) -> String {
    Pointer::push("/expect", name)
}

/// Returns the set fields of an expectation.
fn fields(expect: &GoldenExpectation) -> Map<String, Value> {
    let fields = match serde_json::to_value(expect).invariant("an expectation is JSON") {
        Value::Object(fields) => Some(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    };
    fields.invariant("an expectation is an object")
}

/// Texts of a prompt may be what a case about redaction looks for, and are not shown.
fn moved(stage: Option<Stage>, pointer: String, before: Option<&Value>, after: Option<&Value>) -> GoldenMove {
    GoldenMove { stage, pointer, before: before.map(concealed), after: after.map(concealed) }
}

fn concealed(value: &Value) -> Value {
    match value {
        Value::String(text) if !sensitive_ranges(text).is_empty() => Value::from("a text that is not shown here"),
        Value::Array(items) => Value::Array(items.iter().map(concealed).collect()),
        other => other.clone(),
    }
}

/// Returns the stage of one entry of a map.
fn stage_of_entry(name: &str, key: &str, seen: &Observation<'_, '_>) -> Option<Stage> {
    match name {
        "stages" => Some(key.parse().ok().invariant("the keys of `stages` are stages")),
        _ => stage_of(name, seen),
    }
}

/// Returns the stage that decides a field; none for the hash of the whole.
fn stage_of(name: &str, seen: &Observation<'_, '_>) -> Option<Stage> {
    Some(match name {
        "outcome" | "code" => seen.refused_at().unwrap_or(match seen.stages().is_empty() {
            true => Stage::Intent,
            false => Stage::Policy,
        }),
        "rules" | "verdicts" | "must_refuse" | "must_escalate" | "approval_gates_active" => Stage::Policy,
        "tools" | "hidden" | "arguments" | "calls" => Stage::Tools,
        "evidence" | "rejected_evidence" => Stage::Evidence,
        "memory" | "rejected_memory" => Stage::Memory,
        "tokens_allocated" => Stage::Budget,
        "blocks" | "dropped" | "prompt_has" | "prompt_lacks" => Stage::Buckets,
        "compiled_context_hash" => return None,
        _ => Stage::Manifests,
    })
}
