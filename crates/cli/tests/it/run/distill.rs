//! `deed memory distill`: candidates of a finished run, asked of a scripted provider, held to the artifacts of the run, proposed
//! once, recorded, replayed, paid for and verified.

use crate::common::Project;
use deed_testkit::loopback::provider::{Dialect, Fault, ProviderServer, ScriptedReply, Stop, Turn};
use serde_json::{Value, json};

const KEY: &str = "key-0123456789abcdef";
const MODEL: &str = "anthropic:claude-sonnet-4-20250514";

const PLAN: &str = r##"plan: feedback
mission:
  objective: Report what customers asked for
  success_criteria: [output/report.md exists and is not empty]
policy_profile_id: generic.inference-allowed.v1
inputs:
  - { slot: raw_files, path: input/notes.txt, entity_schema_id: generic.file }
steps:
  - id: report
    label: Write the report
    objective: MUST write what the notes say
    input_file_paths: [input/notes.txt]
    code:
      language: javascript
      source: |
        export default function (inputs) { return { "output/report.md": "# Report\n" + inputs["input/notes.txt"] }; }
    expected_outputs: [{ path: output/report.md, role: primary }]
    artifact_contracts:
      output/report.md: { format: md, kind_key: report.markdown }
    success_criteria: [output/report.md exists and is not empty]
    max_retries: 0
"##;

fn candidate(statement: &str, evidence: Value) -> Value {
    json!({
        "statement": statement, "class": "preference", "tier": "semantic", "subject": "customer:cus_17",
        "intent": "support.refund", "confidence": 0.97, "evidence": evidence,
    })
}

fn cites(path: &str, quote: &str) -> Value {
    json!([{ "path": path, "quote": quote }])
}

/// One candidate that holds, and three that do not.
fn answer() -> ScriptedReply {
    let candidates = [
        candidate("Customer cus_17 wants refunds to the card.", cites("output/report.md", "refunds to the card")),
        candidate("Customer cus_17 reads mail.", json!([])),
        candidate("Customer cus_17 is in Bern.", cites("output/other.md", "Bern")),
        candidate("Customer cus_17 likes tea.", cites("input/notes.txt", "likes tea")),
    ];
    ScriptedReply::text(&json!({ "candidates": candidates }).to_string())
}

fn server(turns: Vec<Turn>) -> ProviderServer {
    ProviderServer::start(Dialect::Anthropic, turns)
}

fn profile(port: u16, model: &str) -> String {
    format!(
        "profile_id: distilled\nversion: 1.0.0\nissuer: tenant_acme_prod\n\
         consumer_bindings:\n  operator_distiller:\n    model_binding_ref: {model}\n    \
         runtime_overrides: {{ max_tokens: 900, timeout_ms: 20000 }}\n\
         model_endpoints: {{ anthropic: {{ base_url: \"http://127.0.0.1:{port}\", private_addresses: true }} }}\n\
         egress: [{{ scheme: http, host: 127.0.0.1, port: {port}, methods: [POST], private_addresses: true }}]\n"
    )
}

/// A project with a finished run and a profile that binds the distiller to a server.
fn project(port: u16) -> Project {
    let p = Project::new();
    p.write("plan.yaml", PLAN);
    p.write("input/notes.txt", "Customer cus_17 asked for refunds to the card.\n");
    p.write("distilled.yaml", profile(port, MODEL));
    p.write(".deed/secrets/anthropic", KEY);
    p.shell("chmod 600 .deed/secrets/anthropic");
    p.ok(&["run", "plan.yaml", "--id", "one"]);
    p
}

const DISTIL: [&str; 6] = ["memory", "distill", "one", "--profile", "./distilled.yaml", "--pack"];

fn distil(p: &Project, more: &[&str]) -> Value {
    p.json(&[&DISTIL[..], &["./support"], more].concat())["data"].clone()
}

#[track_caller]
fn fails(p: &Project, more: &[&str], code: &str, words: &str) {
    let ran = p.run(&[&DISTIL[..], &["./support"], more].concat());
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, 1, "{said}");
    assert!(said.contains(code) && said.contains(words) && !said.contains(KEY), "{said}");
}

fn memories(p: &Project) -> usize {
    p.json(&["memory", "list"])["data"].as_array().unwrap().len()
}

fn verified(p: &Project) {
    let verified = p.json(&["receipts", "verify", "one"]).to_string();
    assert!(verified.contains("distillation of the run"), "{verified}");
}

fn total(p: &Project) -> Value {
    p.json(&["runs", "cost", "one"])["data"]["total"].clone()
}

#[test]
fn a_finished_run_is_distilled_once_and_everything_about_it_is_on_record() {
    let own = server(vec![answer().into()]);
    let p = project(own.port);
    let head = p.json(&["runs", "show", "one"])["data"]["head"].clone();
    let first = distil(&p, &["--budget", "money_micros=1000000"]);
    assert_eq!((own.seen().len(), &first["is_new"]), (1, &json!(true)));
    let body = own.bodies()[0].to_string();
    for words in ["You are the distiller of Deed", "Report what customers asked for", "asked for refunds to the card"] {
        assert!(body.contains(words), "{words} is missing in {body}");
    }
    let candidates = first["candidates"].as_array().unwrap();
    let refused: Vec<&str> = candidates.iter().filter_map(|own| own["refused"].as_str()).collect();
    let reasons = [
        "it cites no artifact of the run",
        "it cites `output/other.md`, which is no artifact of the run that the model read",
        "it quotes `likes tea`, which is not in `input/notes.txt`",
    ];
    assert_eq!(refused, reasons);
    // A folder's thresholds were reviewed by no one: the pipeline decides, and a person is asked.
    let memory = &candidates[0]["memory"];
    assert_eq!((&memory["status"], &memory["class"]), (&json!("in_review"), &json!("preference")), "{first}");
    let provenance = &candidates[0]["provenance"];
    let report = p.json(&["artifacts", "list", "one"])["data"].clone();
    let report = report.as_array().unwrap().iter().find(|own| own["path"] == "output/report.md").unwrap();
    let cited = format!("artifact:output/report.md@{}", report["sha256"].as_str().unwrap());
    assert_eq!(provenance, &json!(["run:one", cited]), "{provenance}");
    assert_eq!(memories(&p), 1);
    // What it cost is part of the run's cost, and its journal of what is verified; the run's own journal is as it was.
    let cost = p.json(&["runs", "cost", "one"])["data"].clone();
    let row = &cost["rows"][0];
    assert_eq!(
        (&row["consumer_key"], &row["step"], &row["sum"]["tokens"]),
        (&json!("operator_distiller"), &json!("memory.distill"), &json!(32))
    );
    assert_eq!(cost["spent"]["model_tokens"].as_u64().unwrap_or(0), 0);
    verified(&p);
    assert_eq!(p.json(&["runs", "show", "one"])["data"]["head"], head);
    // A second one asks nothing and proposes nothing, with the provider gone.
    drop(own);
    let again = distil(&p, &[]);
    assert_eq!((&again["is_new"], &again["candidates"]), (&json!(false), &first["candidates"]));
    assert_eq!((memories(&p), &total(&p)["asked"]), (1, &json!(1)));
    let text = p.ok(&[&DISTIL[..], &["./support"]].concat());
    assert!(text.stdout.contains("says Customer cus_17 wants refunds to the card."), "{}", text.stdout);
    assert!(text.stdout.contains("refused    Customer cus_17 reads mail."), "{}", text.stdout);
    p.ok(&["memory", "verify"]);
}

#[test]
fn a_recorded_distillation_is_replayed_for_another_run_without_provider_and_key() {
    let own = server(vec![answer().into()]);
    let p = project(own.port);
    fails(&p, &["--record", "plan.yaml"], "D0006", "plan.yaml");
    let unwritable = p.run(&[&DISTIL[..], &["./support", "--record", "/proc/none/x.transcript"]].concat());
    assert!(unwritable.code != 0 && unwritable.stderr.contains("/proc/none"), "{}", unwritable.stderr);
    assert_eq!(own.seen().len(), 0, "found before anything is asked");
    let first = distil(&p, &["--record", "one.transcript"]);
    let file = std::fs::read_to_string(p.path("one.transcript")).unwrap();
    assert!(!file.contains(KEY));
    drop(own);
    let q = project(1);
    std::fs::remove_file(q.path(".deed/secrets/anthropic")).unwrap();
    std::fs::copy(p.path("one.transcript"), q.path("one.transcript")).unwrap();
    q.write("input/notes.txt", "Customer cus_17 asked for refunds to the card.\n");
    q.ok(&["run", "plan.yaml", "--id", "two"]);
    let two = ["memory", "distill", "two", "--profile", "./distilled.yaml", "--pack", "./support", "--replay"];
    let replayed = q.json(&[&two[..], &["one.transcript"]].concat())["data"].clone();
    let refused = |data: &Value| -> Vec<Value> {
        data["candidates"].as_array().unwrap().iter().map(|own| own["refused"].clone()).collect()
    };
    assert_eq!(refused(&replayed), refused(&first));
    let cost = q.json(&["runs", "cost", "two"])["data"]["total"].clone();
    assert_eq!((&cost["replayed"], &cost["tokens"], &cost["saved_tokens"]), (&json!(1), &json!(0), &json!(32)));
    // Strict: other artifacts are another question.
    q.write("input/notes.txt", "Customer cus_18 asked for nothing.\n");
    q.ok(&["run", "plan.yaml", "--id", "three"]);
    let three = ["memory", "distill", "three", "--profile", "./distilled.yaml", "--pack", "./support", "--replay"];
    q.refuses(&[&three[..], &["one.transcript"]].concat(), 1, "D2723", "differs first at");
}

#[test]
fn faults_have_their_codes_propose_nothing_and_can_be_followed_by_another_distillation() {
    let inflated = Turn::from(Fault::InflatedUsage);
    for (turn, code, words, asked) in [
        (Turn::from(answer().stopped(Stop::Refusal)), "D2734", "refused to answer", 1),
        (Turn::from(answer().stopped(Stop::Length)), "D2735", "cut at the maximum", 1),
        (Turn::from(Fault::SchemaViolation), "D2736", "none of 3 answers can be used", 3),
        (Turn::from(Fault::Status(401, None)), "D2704", "nothing was distilled", 1),
        (inflated, "D2750", "were reserved", 1),
    ] {
        let own = server(vec![turn]);
        let p = project(own.port);
        fails(&p, &["--budget", "money_micros=1000000"], code, words);
        assert_eq!(own.seen().len(), asked, "{code}");
        assert_eq!(memories(&p), 0, "{code}");
        verified(&p);
        let before = total(&p);
        drop(own);
        let good = server(vec![answer().into()]);
        p.write("distilled.yaml", profile(good.port, MODEL));
        assert_eq!(distil(&p, &[])["is_new"], true, "{code}");
        assert_eq!((good.seen().len(), memories(&p)), (1, 1), "{code}");
        let tokens = total(&p)["tokens"].as_u64().unwrap();
        assert_eq!(tokens, before["tokens"].as_u64().unwrap() + 32, "{code}: what was paid before still counts");
        verified(&p);
    }
}

#[test]
fn what_a_distillation_needs_is_missed_before_anything_is_asked() {
    let own = server(vec![answer().into()]);
    let p = project(own.port);
    fails(&p, &["--budget", "money_micros=10"], "D2052", "money_micros");
    fails(&p, &["--budget", "model_tokens=10"], "D2052", "model_tokens");
    fails(&p, &["--artifact", "output/reprot.md"], "D2", "did you mean `output/report.md`");
    p.write("distilled.yaml", profile(own.port, "anthropic:unpriced-1"));
    fails(&p, &["--budget", "money_micros=1000"], "D2706", "has no price");
    p.write("distilled.yaml", profile(own.port, "none"));
    fails(&p, &[], "D2751", "binds no model to `operator_distiller`");
    p.refuses(&["memory", "distill", "one", "--pack", "./support"], 1, "D2751", "no profile governs the run");
    p.write("distilled.yaml", profile(own.port, MODEL));
    let unpacked = ["memory", "distill", "one", "--profile", "./distilled.yaml"];
    p.refuses(&unpacked, 1, "D2212", "the default pack lets nothing be remembered");
    p.shell("rm .deed/secrets/anthropic");
    fails(&p, &[], "D2703", "anthropic");
    assert_eq!((own.seen().len(), memories(&p)), (0, 0));
    p.write(
        "waiting.yaml",
        PLAN.replace("    max_retries: 0\n", "    max_retries: 0\n    waits_for: [go]\n")
            + "gates:\n  - { id: go, question: Go?, approver_role: lead, after: [] }\n",
    );
    assert_eq!(p.run(&["run", "waiting.yaml", "--id", "open"]).code, 5);
    let open = ["memory", "distill", "open", "--profile", "./distilled.yaml", "--pack", "./support"];
    p.refuses(&open, 1, "D2211", "has not ended");
}
