//! A small second front end, built on the application layer alone: requests come in as JSON, answers go out as JSON.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::disallowed_methods, reason = "tests")]

mod front;

use front::Front;
use serde_json::json;

const PLAN: &str = r#"plan: tally
mission:
  objective: Add the orders up, and write a note of it once somebody has seen the total
  success_criteria: [output/note.txt exists and is not empty]
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/orders.json, kind_key: table.json_rows, entity_schema_id: generic.file }
steps:
  - id: add
    label: Add the orders up
    objective: MUST give the total
    input_file_paths: [input/orders.json]
    code:
      language: javascript
      source: |
        export default function (inputs, context) {
          const total = context.json("input/orders.json").reduce((sum, order) => sum + order.amount, 0);
          return { "output/total.json": { total } };
        }
    expected_outputs: [{ path: output/total.json }]
    artifact_contracts:
      output/total.json: { format: json, kind_key: object.json, required_fields: [total] }
    success_criteria: [output/total.json exists and is valid json]
    max_retries: 0
  - id: note
    label: Write a note
    objective: MUST say the total in one line
    depends_on: [add]
    waits_for: [total-seen]
    input_file_paths: [output/total.json]
    code:
      language: javascript
      source: |
        export default function (inputs, context) {
          return { "output/note.txt": `${context.json("output/total.json").total} in all\n` };
        }
    expected_outputs: [{ path: output/note.txt, role: primary }]
    artifact_contracts:
      output/note.txt: { format: txt, kind_key: file.text }
    success_criteria: [output/note.txt exists and is not empty]
    max_retries: 0
gates:
  - { id: total-seen, question: Is this the total that you expect?, approver_role: clerk, after: [add] }
"#;

#[test]
fn a_run_from_submission_to_verified_files() {
    let front = Front::new();
    front.write("tally.yaml", PLAN);
    front.write("input/orders.json", r#"[{"amount": 40}, {"amount": 2}]"#);

    let submitted = front.ask(json!({ "do": "submit", "plan": "tally.yaml", "input": "input", "id": "one" }));
    assert_eq!(submitted["status"], "waiting", "{submitted}");
    let waiting = front.ask(json!({ "do": "gates" }));
    assert_eq!(waiting["gates"][0]["question"], "Is this the total that you expect?");

    let wrong = front.ask(json!({ "do": "decide", "run": "one", "role": "boss" }));
    assert_eq!((wrong["status"].as_u64(), wrong["codes"][0].as_str()), (Some(422), Some("D2011")), "{wrong}");
    let decided = front.ask(json!({ "do": "decide", "run": "one", "role": "clerk" }));
    assert_eq!(decided["decision"], "approved");
    assert_eq!(front.ask(json!({ "do": "resume", "run": "one" }))["status"], "succeeded");

    let files = front.ask(json!({ "do": "export", "run": "one", "to": "files" }));
    assert_eq!(files["files"], json!(["output/note.txt", "output/total.json"]));
    assert_eq!(front.read("files/output/note.txt"), "42 in all\n");
    let verified = front.ask(json!({ "do": "verify", "run": "one" }));
    assert_eq!((&verified["sound"], &verified["sealed"]), (&json!(true), &json!(true)));
    assert_eq!(front.ask(json!({ "do": "journal" }))["runs"], 1);
}

#[test]
fn what_is_refused_has_a_kind_and_codes() {
    let front = Front::new();
    front.write("bad.yaml", PLAN.replace("depends_on: [add]", "depends_on: [ad]"));
    front.write("input/orders.json", "[]");
    let refused = front.ask(json!({ "do": "submit", "plan": "bad.yaml", "input": "input", "id": "one" }));
    assert_eq!(refused["status"], 422);
    assert!(refused["codes"].as_array().is_some_and(|codes| !codes.is_empty()), "{refused}");
    let missing = front.ask(json!({ "do": "submit", "plan": "none.yaml", "id": "one" }));
    assert_eq!((missing["status"].as_u64(), missing["codes"][0].as_str()), (Some(503), Some("D0001")));
    let unknown = front.ask(json!({ "do": "verify", "run": "nosuch" }));
    assert_eq!((unknown["status"].as_u64(), unknown["codes"][0].as_str()), (Some(422), Some("D2004")));
}

#[test]
fn a_context_is_compiled_with_the_pack_of_a_folder() {
    let front = Front::new();
    let compiled = front.ask(json!({ "do": "context", "pack": front::support_pack() }));
    assert_eq!(compiled["outcome"], "must_escalate", "{compiled}");
    assert_eq!(compiled["hash"].as_str().map(|hash| hash.starts_with("sha256:")), Some(true));
    let same = front.ask(json!({ "do": "context", "pack": front::support_pack() }));
    assert_eq!(same, compiled);
}
