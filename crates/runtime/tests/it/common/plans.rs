//! Plans, as small as they can be.

use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_plan::Lowered;
use serde_json::{Value, json};

/// A plan of steps.
pub fn plan(steps: Vec<Value>) -> Value {
    json!({
        "plan": "tried", "mission": { "objective": "Try it" },
        "policy_profile_id": "generic.inference-allowed.v1", "steps": steps,
    })
}

/// The same with other or further fields.
pub fn with(mut value: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("fields") };
    value.as_object_mut().unwrap().extend(more);
    value
}

/// A step with code. Unless `more` says otherwise it writes one JSON object, `output/<id>.json`.
pub fn step(id: &str, language: &str, source: &str, more: Value) -> Value {
    let path = format!("output/{id}.json");
    let step = json!({
        "id": id, "label": id, "objective": "MUST do it",
        "code": { "language": language, "source": source },
        "expected_outputs": [{ "path": path }],
        "artifact_contracts": { path: { "format": "json", "kind_key": "object.json" } },
        "budget": { "wall_seconds": 30 },
        "max_retries": 0,
    });
    with(step, more)
}

/// A step in Python.
pub fn python(id: &str, source: &str, more: Value) -> Value {
    step(id, "python", source, more)
}

/// The plan compiled, with its code.
pub fn compile(plan: &Value) -> Lowered {
    let document = Document::read("plan.json", plan.to_string().as_bytes(), Format::Json).unwrap();
    let lowered = deed_plan::lower(&document, builtin().unwrap());
    assert!(lowered.compiled.is_some(), "{:#?}", lowered.report);
    lowered
}
