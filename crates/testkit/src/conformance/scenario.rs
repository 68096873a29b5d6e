//! Scenarios: a plan, a name and the options of a run. Steps are as cheap as their purpose allows.

use crate::loopback::Effects;
use deed_model::RunOptions;
use serde_json::{Value, json};

/// A run that is to be submitted.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The plan, as a person would write it. Its steps contain their code and need no input files.
    pub plan: Value,
    /// The name of the run.
    pub run_id: String,
    /// The options of the run.
    pub options: RunOptions,
}

impl Scenario {
    pub(crate) fn new(run_id: &str, steps: Vec<Value>) -> Self {
        let plan = json!({
            "plan": "tried", "mission": { "objective": "Try it" },
            "policy_profile_id": "generic.inference-allowed.v1", "steps": steps,
        });
        Self { plan, run_id: run_id.to_owned(), options: RunOptions::default() }
    }

    /// The same under another name.
    pub(crate) fn named(&self, run_id: &str) -> Self {
        Self { run_id: run_id.to_owned(), ..self.clone() }
    }

    /// `a`, then a person, then `b`: nothing has an effect.
    pub(crate) fn gated(run_id: &str) -> Self {
        Self::new(run_id, vec![script("a", json!({})), script("b", json!({ "waits_for": ["look"] }))]).asks("a")
    }

    /// Adds a gate, `look`, at which the `lead` is asked after a step has succeeded.
    pub(crate) fn asks(mut self, after: &str) -> Self {
        self.plan["gates"] =
            json!([{ "id": "look", "question": "Is it good?", "approver_role": ROLE, "after": [after] }]);
        self
    }
}

/// The role that is asked.
pub(crate) const ROLE: &str = "lead";

/// A step that computes and calls nothing: it needs no sandbox.
pub(crate) fn script(id: &str, more: Value) -> Value {
    let source = format!("export default function () {{ return {{ 'output/{id}.json': {{ made: '{id}' }} }}; }}");
    step(id, "javascript", &source, json!({ "budget": { "wall_seconds": 10 } }), more)
}

/// A step that requests effects, one after the other, and writes the answers.
pub(crate) fn sends(id: &str, effects: &Effects, asked: &[&str], more: Value) -> Value {
    let urls: Vec<String> = asked.iter().map(|what| format!("http://127.0.0.1:{}/{what}", effects.port)).collect();
    let source = format!(
        "import json, deed
got = [deed.fetch(url, 'POST', body={{}})['json'] for url in {}]
json.dump({{'got': got}}, open('output/{id}.json', 'w'))
",
        json!(urls)
    );
    let rule = json!({
        "scheme": "http", "host": "127.0.0.1", "port": effects.port, "methods": ["POST"],
        "private_addresses": true, "repeat": "by_key",
    });
    let own = json!({
        "tool_needs": ["http.submit"], "egress": [rule],
        "budget": { "wall_seconds": 120, "governed_calls": asked.len() },
    });
    step(id, "python", &source, own, more)
}

/// A step that reports that it has begun, and does not end within any timeout of a case.
pub(crate) fn stalls(id: &str) -> Value {
    let source = "import deed, time\ndeed.progress(1)\ntime.sleep(600)\n";
    step(id, "python", source, json!({ "budget": { "wall_seconds": 600 } }), json!({}))
}

fn step(id: &str, language: &str, source: &str, own: Value, more: Value) -> Value {
    let path = format!("output/{id}.json");
    let mut step = json!({
        "id": id, "label": id, "objective": "MUST do it",
        "code": { "language": language, "source": source },
        "expected_outputs": [{ "path": path }],
        "artifact_contracts": { path: { "format": "json", "kind_key": "object.json" } },
        "max_retries": 0,
    });
    for fields in [own, more] {
        let Value::Object(fields) = fields else { panic!("fields") };
        step.as_object_mut().unwrap().extend(fields);
    }
    step
}
