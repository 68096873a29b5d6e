//! Proposals of a model in runs: asked where a contract waits for them, judged by the ladder, frozen, replayed, paid for and
//! verified.

use super::tamper::{change, replace};
use crate::common::{Project, Ran};
use deed_testkit::loopback::provider::{Dialect, Fault, ProviderServer, ScriptedReply, Stop, Turn};
use serde_json::{Value, json};

const KEY: &str = "key-0123456789abcdef";
const MODEL: &str = "anthropic:claude-sonnet-4-20250514";

const PLAN: &str = r#"plan: order
mission:
  objective: Write the order that was answered
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/answer.txt, entity_schema_id: generic.file }
steps:
  - id: write
    label: Write the order
    objective: MUST write the order that was answered
    input_file_paths: [input/answer.txt]
    code:
      language: javascript
      source: |
        export default function () { return { "output/order.json": JSON.stringify({ id: "a", status: "payed" }) }; }
    expected_outputs: [{ path: output/order.json, role: primary }]
    artifact_contracts:
      output/order.json: { format: json, kind_key: object.json }
    success_criteria: [output/order.json exists and is valid json]
    budget: { wall_seconds: 60, model_tokens: 60000, governed_calls: 8 }
    max_retries: 0
"#;

/// A pack whose contract waits for proposals that are sure enough.
const PACK: &str = r#"pack_ref: valpack.acme.order@v1
phases: [step_output]
rules:
  - id: order
    artifact_path: "*.json"
    read_as: json
    contract:
      contract: order
      schema:
        type: object
        required: [id, status]
        additionalProperties: false
        properties: { id: { type: string }, status: { enum: [open, paid, shipped] } }
      patch: { least_confidence: 900 }
"#;

fn proposals(proposals: Value, findings: Value) -> ScriptedReply {
    ScriptedReply::text(&json!({ "proposals": proposals, "findings": findings }).to_string())
}

fn paid() -> ScriptedReply {
    let source = "was paid on Monday";
    proposals(json!([{ "path": "/status", "value": "paid", "source": source, "confidence": 0.97 }]), json!([]))
}

fn server(turns: Vec<Turn>) -> ProviderServer {
    ProviderServer::start(Dialect::Anthropic, turns)
}

fn profile(port: u16, model: &str) -> String {
    format!(
        "profile_id: corrected\nversion: 1.0.0\nissuer: tenant_acme_prod\n\
         consumer_bindings:\n  operator_corrector:\n    model_binding_ref: {model}\n    \
         runtime_overrides: {{ max_tokens: 600, timeout_ms: 20000 }}\n\
         validation: {{ phases: {{ step_output: {{ pack_ref: valpack.acme.order@v1, mode: block }} }} }}\n\
         model_endpoints: {{ anthropic: {{ base_url: \"http://127.0.0.1:{port}\", private_addresses: true }} }}\n\
         egress: [{{ scheme: http, host: 127.0.0.1, port: {port}, methods: [POST], private_addresses: true }}]\n"
    )
}

fn project(port: u16) -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    p.write("plan.yaml", PLAN);
    p.write("input/answer.txt", "The order was paid on Monday.\n");
    p.write("valpacks/order.yaml", PACK);
    p.write("corrected.yaml", profile(port, MODEL));
    p.write(".deed/secrets/anthropic", KEY);
    p.shell("chmod 600 .deed/secrets/anthropic");
    p
}

fn run(p: &Project, id: &str, more: &[&str]) -> Ran {
    p.run(&[&["run", "plan.yaml", "--profile", "./corrected.yaml", "--id", id][..], more].concat())
}

#[track_caller]
fn ok(p: &Project, id: &str, more: &[&str]) {
    let ran = run(p, id, more);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[track_caller]
fn fails(p: &Project, id: &str, more: &[&str], code: &str, words: &str) {
    let ran = run(p, id, more);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, 1, "{said}");
    let receipts = p.run(&["receipts", "show", id, "--json"]);
    let all = format!("{said}{}", receipts.stdout);
    assert!(all.contains(code) && all.contains(words) && !all.contains(KEY), "{all}");
}

fn output(p: &Project, id: &str) -> Value {
    serde_json::from_str(&p.ok(&["artifacts", "cat", id, "output/order.json"]).stdout).unwrap()
}

fn total(p: &Project, id: &str) -> Value {
    p.json(&["runs", "cost", id])["data"]["total"].clone()
}

/// Everything verifies, and the sums of the cost report are those of the budget's ledger.
fn verified(p: &Project, id: &str) {
    p.ok(&["receipts", "verify", id]);
    let cost = p.json(&["runs", "cost", id])["data"].clone();
    assert_eq!(cost["total"]["tokens"], json!(cost["spent"]["model_tokens"].as_u64().unwrap_or(0)), "{cost}");
}

#[test]
fn a_proposed_value_is_applied_by_the_ladder_and_everything_about_it_is_on_record() {
    let own = server(vec![paid().into()]);
    let p = project(own.port);
    ok(&p, "one", &["--budget", "money_micros=1000000", "--record", "one.transcript"]);
    assert_eq!((own.seen().len(), output(&p, "one")), (1, json!({ "id": "a", "status": "paid" })));
    let body = own.bodies()[0].to_string();
    for words in ["You are the corrector of Deed", "/status: \\\"payed\\\"", "The order was paid on Monday"] {
        assert!(body.contains(words), "{words} is missing in {body}");
    }
    let record = p.json(&["runs", "show", "one"])["data"]["validation"].clone();
    let record = record.as_array().unwrap().iter().find(|own| own["path"] == "output/order.json").unwrap().clone();
    assert_eq!(record["verdict"], "corrected", "{record}");
    let began = p.json(&["runs", "events", "one", "--kind", "model_call_began"])["data"][0]["event"]["call"].clone();
    assert_eq!((&record["corrector"]["call"], &began["consumer_key"]), (&began["key"], &json!("operator_corrector")));
    let kept = p.ok(&["artifacts", "cat", "one", "validation/step_output/output/order.json.proposals.json"]).stdout;
    assert!(kept.contains("corrector-1") && kept.contains("was paid on Monday"), "{kept}");
    assert_eq!((&total(&p, "one")["asked"], &total(&p, "one")["tokens"]), (&json!(1), &json!(32)));
    // Neither a provider nor a key is needed to verify, to undo, or to replay.
    drop(own);
    std::fs::remove_file(p.path(".deed/secrets/anthropic")).unwrap();
    verified(&p, "one");
    p.ok_to("report.json", &["artifacts", "cat", "one", "validation/step_output/output/order.json.correction.json"]);
    p.ok_to("order.json", &["artifacts", "cat", "one", "output/order.json"]);
    let undone = p.ok(&["ladder", "undo", "--report", "report.json", "order.json"]).stdout;
    let undone: Value = serde_json::from_str(&undone).unwrap();
    assert_eq!(undone, json!({ "id": "a", "status": "payed" }));
    ok(&p, "two", &["--replay", "one.transcript"]);
    assert_eq!((output(&p, "two"), &total(&p, "two")["replayed"]), (output(&p, "one"), &json!(1)));
    verified(&p, "two");
}

#[test]
fn without_a_binding_or_without_waiting_nothing_is_asked_and_nothing_changes() {
    let own = server(vec![paid().into()]);
    let p = project(own.port);
    p.write("corrected.yaml", profile(own.port, "none"));
    fails(&p, "none", &[], "D2910", "`status` may not be `payed`");
    p.write("corrected.yaml", profile(own.port, MODEL));
    p.write("valpacks/order.yaml", PACK.replace("      patch: { least_confidence: 900 }\n", ""));
    fails(&p, "still", &[], "D2910", "`status` may not be `payed`");
    assert_eq!(own.seen().len(), 0);
    // Nothing is wrong with it, so nothing is asked.
    p.write("valpacks/order.yaml", PACK);
    p.write("plan.yaml", PLAN.replace("payed", "paid"));
    ok(&p, "right", &[]);
    assert_eq!(own.seen().len(), 0);
    for id in ["none", "still", "right"] {
        verified(&p, id);
    }
}

#[test]
fn a_model_fixes_values_alone_and_what_it_says_is_held_to_its_sources() {
    let one = |path: &str, value: Value, source: &str, confidence: f64| {
        let own = json!([{ "path": path, "value": value, "source": source, "confidence": confidence }]);
        Turn::from(proposals(own, json!([])))
    };
    let source = "was paid on Monday";
    // What is not sure enough, or what the schema refuses, is not applied: the payload is judged without it.
    for turn in [one("/status", json!("paid"), source, 0.5), one("/status", json!("late"), source, 0.99)] {
        let own = server(vec![turn]);
        let p = project(own.port);
        fails(&p, "one", &[], "D2910", "`status` may not be `payed`");
        assert_eq!(own.seen().len(), 1);
        verified(&p, "one");
    }
    // Another place, an invented source, and a structure in place of a value are asked about again.
    let own = server(vec![
        one("/id", json!("b"), source, 0.99),
        one("/status", json!("paid"), "it was settled in cash", 0.99),
        one("/status", json!({ "of": "paid" }), source, 0.99),
    ]);
    let p = project(own.port);
    fails(&p, "one", &[], "D2736", "none of 3 answers can be used");
    let bodies: Vec<String> = own.bodies().iter().map(ToString::to_string).collect();
    assert!(
        bodies[1].contains("is not one of the places") && bodies[2].contains("stands neither in a source"),
        "{bodies:?}"
    );
    verified(&p, "one");
}

#[test]
fn an_expert_reviews_what_is_valid_and_its_findings_and_its_absence_refuse() {
    let expert = PACK.replace("patch: { least_confidence: 900 }", "phases: { step_output: { L6: block } }");
    let finding = |severity: &str| {
        let found = json!([{ "path": "/status", "message": "the answer says something else", "severity": severity }]);
        Turn::from(proposals(json!([]), found))
    };
    let reviewed = |turn: Turn| {
        let own = server(vec![turn]);
        let p = project(own.port);
        p.write("valpacks/order.yaml", &expert);
        p.write("plan.yaml", PLAN.replace("payed", "open"));
        (own, p)
    };
    let (own, p) = reviewed(finding("error"));
    fails(&p, "one", &[], "D1776", "the answer says something else");
    assert_eq!(own.seen().len(), 1);
    verified(&p, "one");
    let (_own, p) = reviewed(finding("warning"));
    ok(&p, "one", &[]);
    verified(&p, "one");
    let (_own, p) = reviewed(Turn::from(paid().stopped(Stop::Refusal)));
    fails(&p, "one", &[], "D2734", "refused to answer");
    verified(&p, "one");
}

#[test]
fn faults_leave_the_payload_as_it_is_and_have_their_codes() {
    for (turn, code, asked) in [
        (Turn::from(paid().stopped(Stop::Refusal)), "D2734", 1),
        (Turn::from(paid().stopped(Stop::Length)), "D2735", 1),
        (Turn::from(Fault::SchemaViolation), "D2736", 3),
        (Turn::from(Fault::InflatedUsage), "D2750", 1),
        (Turn::from(Fault::Status(401, None)), "D2704", 1),
    ] {
        let own = server(vec![turn]);
        let p = project(own.port);
        fails(&p, "one", &["--budget", "money_micros=1000000"], code, "`status` may not be `payed`");
        assert_eq!(own.seen().len(), asked, "{code}");
        verified(&p, "one");
    }
    let own = server(vec![paid().into()]);
    let p = project(own.port);
    fails(&p, "money", &["--budget", "money_micros=10"], "D2052", "money_micros");
    p.write("plan.yaml", PLAN.replace(", model_tokens: 60000", ""));
    fails(&p, "tokens", &[], "D2052", "model_tokens");
    for id in ["money", "tokens"] {
        verified(&p, id);
    }
    // Before anything runs: a model without a price under a money budget, and a missing key.
    p.write("corrected.yaml", profile(own.port, "anthropic:unpriced-1"));
    fails(&p, "price", &["--budget", "money_micros=1000"], "D2706", "has no price");
    p.write("corrected.yaml", profile(own.port, MODEL));
    p.shell("rm .deed/secrets/anthropic");
    fails(&p, "key", &[], "D2703", "anthropic");
    for id in ["price", "key"] {
        p.refuses(&["runs", "show", id], 1, "D2004", id);
    }
    assert_eq!(own.seen().len(), 0);
}

#[test]
fn altered_proposals_are_found() {
    let own = server(vec![paid().into()]);
    let p = project(own.port);
    ok(&p, "one", &[]);
    verified(&p, "one");
    change(&p, |db| replace(db, "small_blobs", "bytes", "\"confidence\":970", "\"confidence\":971"));
    let found = p.run(&["receipts", "verify", "one"]);
    let said = format!("{}{}", found.stdout, found.stderr);
    assert!(found.code == 1 && said.contains("altered"), "{said}");
}
