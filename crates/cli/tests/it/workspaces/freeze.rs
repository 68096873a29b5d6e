//! A run is frozen when it is submitted: everything that it was submitted with is changed in its middle, and nothing about it
//! moves.

use super::fixture::data;
use crate::common::Project;
use crate::run::models::{KEY, answer, profile, server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STEPS: usize = 50;
/// The gate is after this step.
const MIDDLE: usize = 25;
/// The step that asks a model, after the gate.
const JUDGE: usize = 40;

/// A chain of fifty steps with a gate in its middle; each adds its number to what the one before it wrote.
fn plan() -> String {
    let mut text = "plan: fifty
mission:
  objective: Add fifty numbers up, one by one
  success_criteria: [output/s50.json exists and is valid json]
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/start.json, entity_schema_id: generic.file, kind_key: object.json }
gates:
  - { id: go, question: May it go on?, approver_role: clerk, after: [s25] }
steps:
"
    .to_owned();
    for step in 1..=STEPS {
        let before = match step {
            1 => "input/start.json".to_owned(),
            _ => path(step - 1),
        };
        let after = if step == 1 { String::new() } else { format!("s{:02}", step - 1) };
        let gate = if step == MIDDLE + 1 { "    waits_for: [go]\n" } else { "" };
        let (own, code) = (path(step), if step == JUDGE { judge(&before, step) } else { add(&before, step) });
        let _ = write!(
            text,
            "  - id: s{step:02}
    label: Add {step}
    objective: MUST add {step} to the sum
    depends_on: [{after}]
{gate}    input_file_paths: [{before}]
{code}    expected_outputs: [{{ path: {own} }}]
    artifact_contracts: {{ {own}: {{ format: json, kind_key: object.json, required_fields: [sum] }} }}
    success_criteria: [{own} exists and is valid json]
    max_retries: 0
"
        );
    }
    text
}

fn path(step: usize) -> String {
    let folder = if step == STEPS { "output" } else { "work" };
    format!("{folder}/s{step:02}.json")
}

fn add(before: &str, step: usize) -> String {
    let (body, own) = (format!("context.json(\"{before}\").sum + {step}"), path(step));
    format!(
        "    code:
      language: javascript
      source: |
        export default (inputs, context) => ({{ \"{own}\": {{ sum: {body} }} }});
"
    )
}

fn judge(before: &str, step: usize) -> String {
    format!(
        "    tool_needs: [operator.artifact.evaluate]
    budget: {{ wall_seconds: 60, model_tokens: 60000, governed_calls: 8 }}
    code:
      language: python
      source: |
        import deed, json
        before = json.load(open(\"{before}\"))[\"sum\"]
        bundle = {{
            \"item_id\": \"candidate_001\",
            \"sources\": {{\"resume\": \"Ada Lovelace wrote the first program.\"}},
            \"derived\": {{\"profile\": {{\"sum\": before}}}},
        }}
        rubric = {{\"criteria\": [\"no invented facts\"]}}
        call = {{\"bundle\": bundle, \"rubric\": rubric, \"enforcement\": \"report\"}}
        verdict = deed.call(\"operator.artifact.evaluate\", call)
        json.dump({{\"sum\": before + {step}, \"verdict\": verdict[\"verdict\"]}}, open(\"{own}\", \"w\"))
",
        own = path(step)
    )
}

const PROMPTS: &str = "validation:
  phases:
    step_output: { default_pack_ref: valpack.operator.generic.step-output@v1, mode: block }
    final_output: { pack_ref: valpack.operator.generic.final@v1, mode: block }
budgets: { max_steps: 60, tool_calls: 90, model_tokens: 100000, timeouts: { run_wall_ms: 86000000, approval_ms: 500000 } }
";

fn submitted(port: u16) -> Project {
    let p = Project::published();
    p.write("plan.yaml", plan());
    p.write("judged.yaml", profile(port, PROMPTS));
    p.write("start.json", "{\"sum\":0}\n");
    p.write(".deed/secrets/anthropic", KEY);
    p.shell("chmod 600 .deed/secrets/anthropic");
    p.write("limits.yaml", "limits: { max_steps: 55, money_micros: 9000000 }\nwindow_size: 2\n");
    p.ok(&["workspace", "new", "sums", "--use", "--settings", "limits.yaml", "--secret", "anthropic"]);
    p.ok(&["files", "put", "start.json", "start.json"]);
    let out = p.run(&["run", "plan.yaml", "--profile", "./judged.yaml", "--id", "fifty"]);
    assert_eq!(out.code, 5, "{}{}", out.stdout, out.stderr);
    p
}

/// Changes everything that the run was submitted with.
fn disturb(p: &Project) {
    let other =
        profile(9, "budgets: { max_steps: 1, tool_calls: 0, model_tokens: 1, timeouts: { run_wall_ms: 1000 } }\n");
    p.write("judged.yaml", other.replace("max_tokens: 600", "max_tokens: 7").replace("sonnet-4-20250514", "opus-4-6"));
    p.write("plan.yaml", plan().replace(".sum + ", ".sum - ").replace("no invented facts", "something else"));
    p.write(".deed/settings.yaml", "limits: { max_steps: 1, tool_calls: 0, model_tokens: 1, egress: [] }\n");
    p.write("start.json", "{\"sum\":1000}\n");
    p.ok(&["files", "put", "start.json", "start.json"]);
    p.ok(&["files", "remove", "start.json", "--reason", "disturbed"]);
    p.write("limits.yaml", "limits: { max_steps: 1, egress: [], tool_calls: 0, model_tokens: 1 }\nwindow_size: 1\n");
    let settings = ["--settings", "limits.yaml", "--profile", "fast-prototype", "--pack", "ctxpack.support@1.0.0"];
    p.ok(&[&["workspace", "set", "--unset", "secret:anthropic"][..], &settings].concat());
    p.ok(&["pack", "deprecate", "ctxpack.support@1.0.0", "--reason", "disturbed"]);
    p.ok(&["people", "add", "rosa", "--role", "clerk"]);
    p.ok(&["people", "add", "tester", "--role", "clerk", "--role", "owner"]);
}

/// The predicates of receipts about steps, and of the seal, without what a clock or this machine says.
fn receipts(p: &Project) -> Vec<Value> {
    let listed = data(p, &["receipts", "show", "fifty"]);
    let kinds = ["preflight", "postflight", "validation", "seal"];
    let of_steps = listed.as_array().unwrap().iter().filter(|own| kinds.contains(&own["receipt"].as_str().unwrap()));
    of_steps.map(|own| timeless(&own["statement"]["predicate"])).collect()
}

fn timeless(value: &Value) -> Value {
    const CLOCK: [&str; 11] = [
        "wall_ms",
        "duration_ms",
        "wall_seconds",
        "sandbox",
        "program",
        "journal",
        "approvals",
        "began_at",
        "ended_at",
        "at",
        "decided_at",
    ];
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| !CLOCK.contains(&name.as_str()));
            Value::Object(kept.map(|(name, member)| (name.clone(), timeless(member))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(timeless).collect()),
        other => other.clone(),
    }
}

fn hashes(p: &Project) -> BTreeMap<String, Value> {
    let listed = data(p, &["artifacts", "list", "fifty"]);
    let file = |file: &Value| (file["path"].as_str().unwrap().to_owned(), file["sha256"].clone());
    listed.as_array().unwrap().iter().map(file).collect()
}

#[test]
fn nothing_about_a_run_moves_when_everything_is_changed_in_its_middle() {
    let provider = server(vec![answer("pass").into()]);
    let (calm, disturbed) = (submitted(provider.port), submitted(provider.port));
    let frozen = |p: &Project| data(p, &["runs", "events", "fifty", "--kind", "submitted"])[0]["event"]["run"].clone();
    let before = frozen(&disturbed);
    assert_eq!(frozen(&calm), before, "both runs were submitted with the same");
    disturb(&disturbed);
    for p in [&calm, &disturbed] {
        p.ok(&["gate", "approve", "fifty", "--as", "clerk"]);
        p.ok(&["runs", "resume", "fifty"]);
        p.ok(&["receipts", "verify", "fifty"]);
        p.ok(&["workspace", "verify"]);
    }
    assert_eq!(frozen(&disturbed), before);
    let shown = |p: &Project, part: &str| data(p, &["runs", "show", "fifty"])[part].clone();
    for part in ["status", "plan_hash", "profile", "grant", "validation", "kept"] {
        assert_eq!(timeless(&shown(&disturbed, part)), timeless(&shown(&calm, part)), "{part}");
    }
    assert_eq!(shown(&calm, "workspace"), shown(&disturbed, "workspace"));
    assert_eq!(hashes(&disturbed), hashes(&calm));
    let sum: usize = (1..=STEPS).sum();
    assert_eq!(disturbed.ok(&["artifacts", "cat", "fifty", "output/s50.json"]).stdout, format!("{{\"sum\":{sum}}}\n"));
    let (own, other) = (receipts(&disturbed), receipts(&calm));
    assert_eq!(own.len(), other.len());
    assert!(own.len() >= 2 * STEPS, "{}", own.len());
    for (own, other) in own.iter().zip(&other) {
        assert_eq!(own, other);
    }
    // The model was asked the same, with the same parameters, at the same price.
    assert_eq!(provider.seen().len(), 2);
    let bodies = provider.bodies();
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!((&bodies[0]["max_tokens"], &bodies[0]["model"]), (&json!(600), &json!("claude-sonnet-4-20250514")));
    let cost = |p: &Project| timeless(&data(p, &["runs", "cost", "fifty"])["total"]);
    assert_eq!(cost(&calm), cost(&disturbed));
    // The next run is submitted with what is there now.
    let next = disturbed.run(&["run", "plan.yaml", "--profile", "./judged.yaml", "--id", "next"]);
    assert_eq!(next.code, 1, "{}", next.stderr);
}
