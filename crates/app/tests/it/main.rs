//! A small second front end, built on the application layer alone: requests come in as JSON, answers go out as JSON.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::disallowed_methods, reason = "tests")]

mod catalog;
mod front;
mod imprints;
mod ladders;
mod packs;
mod project;
mod replays;
mod rules;
mod runs;
mod sandboxes;

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

#[path = "../../examples/http.rs"]
#[allow(dead_code, reason = "`main` starts the example from a command line")]
mod http;

/// The example of `CONTRIBUTING.md`, asked as `curl` would.
#[test]
fn the_http_example_runs_a_job_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let session = deed_app::Session { home: None, actor: Some("test".to_owned()), now: None };
    deed_app::scaffold::demo(&session, &folder.path().join("demo")).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let front = http::Front::new(folder.path().join("demo"));
    std::thread::spawn(move || front.serve(&listener));
    let ask = |method: &str, path: &str, body: serde_json::Value| -> (String, serde_json::Value) {
        use std::io::{Read as _, Write as _};
        let body = body.to_string();
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().to_owned(), serde_json::from_str(body).unwrap())
    };
    let run = json!({ "plan": "plan.yaml", "id": "week-45" });
    assert_eq!(ask("POST", "/runs", run), ("200".to_owned(), json!({ "run": "week-45", "status": "waiting" })));
    let gates = json!([{ "question": "May the expenses above the limit be paid?" }]);
    assert_eq!(ask("GET", "/gates", json!(null)), ("200".to_owned(), gates));
    let (status, refused) = ask("POST", "/runs/week-45/approve", json!({ "role": "intern" }));
    assert_eq!((status.as_str(), &refused["codes"]), ("422", &json!(["D2011"])));
    let done = json!({ "run": "week-45", "status": "succeeded" });
    assert_eq!(ask("POST", "/runs/week-45/approve", json!({ "role": "finance" })), ("200".to_owned(), done));
    let sound = json!({ "sound": true, "sealed": true });
    assert_eq!(ask("GET", "/runs/week-45/verify", json!(null)), ("200".to_owned(), sound));
    let (_, file) = ask("GET", "/runs/week-45/files/output/report.md", json!(null));
    assert!(file["text"].as_str().unwrap().contains("| Grace | 934.00 |"), "{file}");
    assert_eq!(ask("GET", "/nowhere", json!(null)).0, "404");
}

#[test]
fn the_demo_is_written_run_and_reviewed() {
    let front = Front::new();
    let demo = front.ask(json!({ "do": "demo", "to": "demo" }));
    assert_eq!(demo["files"], json!(["plan.yaml", "steps/check.mjs", "steps/report.mjs", "input/expenses.csv"]));
    // The session names a home, so that none is made.
    assert_eq!(demo["home"], json!(null));
    let again = front.ask(json!({ "do": "demo", "to": "demo" }));
    assert_eq!((again["status"].as_u64(), again["codes"][0].as_str()), (Some(422), Some("D0006")), "{again}");

    let submitted = front.ask(json!({ "do": "submit", "plan": "demo/plan.yaml", "id": "week-1" }));
    assert_eq!(submitted["status"], "waiting", "{submitted}");
    let review = front.ask(json!({ "do": "review", "run": "week-1" }));
    assert_eq!(review["compared_with"], json!(null));
    let over = &review["files"][1];
    assert_eq!((&over["path"], &over["read_by"]), (&json!("work/over_limit.json"), &json!(["report"])), "{review}");
    assert_eq!(over["preview"]["form"], "rows");
    let (columns, first) = (&over["preview"]["columns"], &over["preview"]["rows"][0]);
    // As the file has them, and not by name.
    assert_eq!((&columns[1], &columns[2], &first[2]), (&json!("date"), &json!("person"), &json!("Grace")), "{over}");
    assert_eq!(over["preview"]["total"].as_u64(), Some(3));

    front.ask(json!({ "do": "decide", "run": "week-1", "role": "finance" }));
    assert_eq!(front.ask(json!({ "do": "resume", "run": "week-1" }))["status"], "succeeded");
    let input = front.read("demo/input/expenses.csv");
    front.write("demo/input/expenses.csv", format!("{input}R-110,2026-11-07,Linus,travel,900.00,flight\n"));
    front.ask(json!({ "do": "submit", "plan": "demo/plan.yaml", "id": "week-2" }));
    let review = front.ask(json!({ "do": "review", "run": "week-2" }));
    assert_eq!(review["compared_with"], "week-1");
    assert_eq!(review["files"][1]["change"], json!({ "change": "changed", "added": 1, "removed": 0 }));
}

#[test]
fn a_machine_without_bubblewrap_is_told_what_to_install() {
    let examined = Front::new().ask(json!({ "do": "doctor" }));
    assert_eq!(examined["worst"], "missing", "{examined}");
    let bubblewrap = &examined["checks"][1];
    assert_eq!(bubblewrap["name"], "bubblewrap");
    assert!(bubblewrap["fix"].as_str().is_some_and(|fix| fix.contains("apt-get install bubblewrap")), "{bubblewrap}");
}
