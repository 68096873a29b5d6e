//! `deed run` with a model that judges: asked through the whole chain of a scripted provider, recorded, replayed, resumed,
//! paid for and verified.

use super::tamper::{change, replace};
use crate::common::{Project, Ran};
use deed_testkit::loopback::provider::{Dialect, Fault, ProviderServer, ScriptedReply, Stop, Turn};
use serde_json::{Value, json};

pub(crate) const KEY: &str = "key-0123456789abcdef";
const MODEL: &str = "anthropic:claude-sonnet-4-20250514";

/// A step whose code has its work judged, and a step after a gate.
const PLAN: &str = r#"plan: judged
mission:
  objective: Extract a profile, have it judged, and write a note
  success_criteria: [output/note.txt exists and is not empty]
policy_profile_id: generic.inference-allowed.v1
steps:
  - id: judge
    label: Have the profile judged
    objective: MUST have the profile judged by its source
    tool_needs: [operator.artifact.evaluate]
    code:
      language: python
      source: |
        import deed, json
        bundle = {
            "item_id": "candidate_001",
            "sources": {"resume": "Ada Lovelace wrote the first program."},
            "derived": {"profile": {"name": "Ada Lovelace", "years": 7}},
        }
        rubric = {"criteria": [
            "no invented facts",
            {"id": "named", "rule": {"in": [{"var": "derived.profile.name"}, {"var": "sources.resume"}]}},
        ]}
        verdict = deed.call("operator.artifact.evaluate", {"bundle": bundle, "rubric": rubric, "enforcement": "report"})
        json.dump(verdict, open("output/verdict.json", "w"))
    expected_outputs: [{ path: output/verdict.json }]
    artifact_contracts:
      output/verdict.json: { format: json, kind_key: object.json, required_fields: [verdict] }
    success_criteria: [output/verdict.json exists and is valid json]
    budget: { wall_seconds: 60, model_tokens: 60000, governed_calls: 8 }
    max_retries: 0
  - id: note
    label: Write a note
    objective: MUST write a note
    depends_on: [judge]
    waits_for: [seen]
    input_file_paths: [output/verdict.json]
    code:
      language: python
      source: |
        open("output/note.txt", "w").write("judged\n")
    expected_outputs: [{ path: output/note.txt, role: primary }]
    artifact_contracts:
      output/note.txt: { format: txt, kind_key: file.text }
    success_criteria: [output/note.txt exists and is not empty]
    budget: { wall_seconds: 60 }
    max_retries: 0
gates:
  - { id: seen, question: Is the verdict fine?, approver_role: clerk, after: [judge] }
"#;

/// The answer of a model that judged the one criterion.
pub(crate) fn answer(verdict: &str) -> ScriptedReply {
    let judged = json!({
        "item_id": "candidate_001", "verdict": verdict,
        "criteria": [{
            "criterion": "no invented facts", "verdict": verdict, "reason": "the source says so",
            "evidence": [{ "path": "resume", "quote": "wrote the first program" }],
        }],
    });
    ScriptedReply::text(&judged.to_string())
}

pub(crate) fn server(turns: Vec<Turn>) -> ProviderServer {
    ProviderServer::start(Dialect::Anthropic, turns)
}

pub(crate) fn profile(port: u16, more: &str) -> String {
    format!(
        "profile_id: judged\nversion: 1.0.0\nissuer: tenant_acme_prod\n\
         consumer_bindings:\n  operator_evaluator:\n    model_binding_ref: {MODEL}\n    \
         runtime_overrides: {{ max_tokens: 600, timeout_ms: 20000 }}\n\
         model_endpoints: {{ anthropic: {{ base_url: \"http://127.0.0.1:{port}\", private_addresses: true }} }}\n\
         egress: [{{ scheme: http, host: 127.0.0.1, port: {port}, methods: [POST], private_addresses: true }}]\n{more}"
    )
}

/// A project whose profile binds the evaluator to a server.
fn project(port: u16) -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    p.write("plan.yaml", PLAN);
    p.write("judged.yaml", profile(port, ""));
    p.write(".deed/secrets/anthropic", KEY);
    p.shell("chmod 600 .deed/secrets/anthropic");
    p
}

/// A project in which a person is asked before a model judges, and its provider.
pub(crate) fn gated() -> (Project, ProviderServer) {
    let provider = server(vec![answer("pass").into()]);
    let p = project(provider.port);
    let gated = PLAN
        .replacen("    label: Have", "    waits_for: [go]\n    label: Have", 1)
        .replacen("    waits_for: [seen]\n", "", 1)
        .replace("{ id: seen, question: Is the verdict fine?, approver_role: clerk, after: [judge] }", GO);
    p.write("plan.yaml", gated);
    (p, provider)
}

const GO: &str = "{ id: go, question: May it be judged?, approver_role: clerk, after: [] }";

/// Runs it to its gate.
pub(crate) fn run_gated(p: &Project, id: &str) -> Ran {
    p.run(&["run", "plan.yaml", "--profile", "./judged.yaml", "--id", id])
}

fn run(p: &Project, id: &str, more: &[&str]) -> Ran {
    p.run(&[&["run", "plan.yaml", "--profile", "./judged.yaml", "--id", id, "--approve", "clerk"][..], more].concat())
}

fn ok(p: &Project, id: &str, more: &[&str]) {
    let ran = run(p, id, more);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[track_caller]
fn fails(p: &Project, id: &str, more: &[&str], code: &str, words: &str) -> Ran {
    let ran = run(p, id, more);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, 1, "{said}");
    assert!(said.contains(code) && said.contains(words), "{said}");
    assert!(!said.contains(KEY), "{said}");
    ran
}

fn verdict(p: &Project, id: &str) -> Value {
    p.ok(&["artifacts", "export", id, "output/verdict.json", "--out", &format!("files-{id}")]);
    let text = std::fs::read_to_string(p.path(&format!("files-{id}/output/verdict.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn cost(p: &Project, id: &str) -> Value {
    p.json(&["runs", "cost", id])["data"].clone()
}

/// Everything verifies, and the sums of the cost report are those of the budget's ledger.
pub(crate) fn verified(p: &Project, id: &str) {
    let verified = p.json(&["receipts", "verify", id]);
    assert!(verified.to_string().contains("calls of models"), "{verified}");
    let cost = cost(p, id);
    let sum = |field: &str| {
        let calls = cost["calls"].as_array().unwrap().iter();
        calls.map(|call| call["spent"][field].as_u64().unwrap_or(0)).sum::<u64>()
    };
    assert_eq!(json!(sum("model_tokens")), cost["total"]["tokens"]);
    assert_eq!(json!(sum("money_micros")), cost["total"]["money_micros"]);
    assert_eq!(cost["total"]["tokens"], cost["spent"]["model_tokens"], "{cost}");
    assert_eq!(cost["total"]["money_micros"].as_u64(), Some(cost["spent"]["money_micros"].as_u64().unwrap_or(0)));
}

#[test]
fn a_model_judges_and_everything_about_it_is_on_record() {
    let own = server(vec![answer("pass").into()]);
    let p = project(own.port);
    ok(&p, "one", &["--budget", "money_micros=1000000"]);
    assert_eq!(own.seen().len(), 1);
    assert_eq!(own.seen()[0].header("x-api-key"), Some(KEY));
    let body = own.bodies()[0].to_string();
    for words in
        ["You work under the context pack deed.default@1.0.0", "You are the evaluator of Deed", "Ada Lovelace wrote"]
    {
        assert!(body.contains(words), "{words} is missing in {body}");
    }
    // The marker of the prompt cache stands behind the part of the context that does not change, and nowhere else.
    let marked = &own.bodies()[0]["system"][0];
    assert_eq!(marked["cache_control"], json!({ "type": "ephemeral" }));
    assert!(marked["text"].as_str().unwrap().starts_with("You work under the context pack"), "{marked}");
    assert_eq!(body.matches("cache_control").count(), 1, "{body}");
    let verdict = verdict(&p, "one");
    assert_eq!((&verdict["verdict"], &verdict["passes"]), (&json!("pass"), &json!(true)), "{verdict}");
    assert_eq!(verdict["evaluator"], json!(format!("rules/v1 and {MODEL}")));
    let ids: Vec<&str> =
        verdict["criteria"].as_array().unwrap().iter().map(|own| own["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["no invented facts", "named"]);
    assert_eq!(verdict["criteria"][0]["evidence"][0]["path"], "resume");
    let began = p.json(&["runs", "events", "one", "--kind", "model_call_began"])["data"][0]["event"]["call"].clone();
    assert_eq!(verdict["model_call_id"], began["key"]);
    let ended = p.json(&["runs", "events", "one", "--kind", "call_ended"])["data"][0]["event"]["answer"].clone();
    assert_eq!(ended["proof"]["model_call_id"], began["key"]);
    assert_eq!(ended["proof"]["bundle_sha256"], verdict["bundle_sha256"]);
    // 12 of input, 8 from the cache, 12 of output, at the prices of the table.
    let cost = cost(&p, "one");
    let row = &cost["rows"][0];
    assert_eq!(
        (&row["consumer_key"], &row["step"], &row["model"]),
        (&json!("operator_evaluator"), &json!("judge"), &json!(MODEL))
    );
    assert_eq!((&cost["total"]["asked"], &cost["total"]["tokens"]), (&json!(1), &json!(32)), "{cost}");
    assert_eq!(cost["total"]["money_micros"], cost["calls"][0]["cost"]["actual_micros"]);
    assert!(cost["total"]["money_micros"].as_u64() > Some(0));
    assert_eq!(cost["calls"][0]["request_id"], "req_1");
    verified(&p, "one");
    let text = p.ok(&["runs", "cost", "one"]).stdout;
    assert!(text.contains("operator_evaluator  judge") && text.contains("1 asked; 32 tokens"), "{text}");
    for kind in ["model_call_began", "model_call_ended", "call_ended"] {
        assert!(!p.ok(&["runs", "events", "one", "--kind", kind, "--json"]).stdout.contains(KEY));
    }
}

#[test]
fn a_recorded_run_is_replayed_with_the_provider_gone_and_costs_nothing() {
    let own = server(vec![answer("fail").into()]);
    let p = project(own.port);
    ok(&p, "one", &["--record", "one.transcript"]);
    let file = std::fs::read_to_string(p.path("one.transcript")).unwrap();
    assert!(!file.contains(KEY));
    fails(&p, "again", &["--record", "one.transcript"], "D0006", "one.transcript");
    let ran = run(&p, "unwritable", &["--record", "/proc/none/x.transcript"]);
    assert!(ran.code != 0 && ran.stderr.contains("/proc/none"), "{}", ran.stderr);
    assert_eq!(own.seen().len(), 1, "found before anything is asked");
    // The key is gone; the server stays, and counts who asks it nevertheless.
    std::fs::remove_file(p.path(".deed/secrets/anthropic")).unwrap();
    fails(&p, "keyless", &[], "D2703", "anthropic");
    ok(&p, "two", &["--replay", "one.transcript", "--record", "two.transcript"]);
    assert_eq!(verdict(&p, "one"), verdict(&p, "two"));
    let hash = |id: &str| {
        let steps = p.json(&["runs", "show", id])["data"]["steps"].clone();
        let outputs: Vec<Value> = steps.as_array().unwrap().iter().map(|step| step["outputs"].clone()).collect();
        assert!(outputs.iter().all(|output| output.to_string().contains("sha256:")), "{outputs:?}");
        outputs
    };
    assert_eq!(hash("one"), hash("two"));
    let value =
        |id: &str| p.json(&["runs", "events", id, "--kind", "model_call_began"])["data"][0]["event"]["call"].clone();
    for part in ["key", "value", "context"] {
        assert_eq!(value("one")[part], value("two")[part], "{part}");
    }
    let cost = cost(&p, "two");
    assert_eq!(
        (&cost["total"]["replayed"], &cost["total"]["money_micros"], &cost["total"]["tokens"]),
        (&json!(1), &json!(0), &json!(0))
    );
    assert_eq!(cost["total"]["saved_tokens"], 32);
    assert_eq!(cost["total"]["saved_micros"], self::cost(&p, "one")["total"]["money_micros"]);
    verified(&p, "one");
    verified(&p, "two");
    assert_eq!(
        p.ok(&["transcript", "verify", "two.transcript"]).stdout.lines().next(),
        Some("1 call: every line holds")
    );
    assert!(p.ok(&["runs", "cost", "two"]).stdout.contains("saved 0.000"));
    // The run says where its replies come from: in its journal, its seal and what is shown of it.
    let sha256 = p.shell("sha256sum one.transcript").stdout.split(' ').next().unwrap().to_owned();
    let served = json!([{ "file": "one.transcript", "sha256": format!("sha256:{sha256}") }]);
    assert_eq!(p.json(&["runs", "show", "two"])["data"]["replays"], served);
    assert_eq!(p.json(&["runs", "show", "one"])["data"]["replays"], Value::Null);
    let line = format!("served from the transcript one.transcript sha256:{sha256}");
    assert!(p.ok(&["runs", "show", "two"]).stdout.contains(&line));
    assert!(p.json(&["receipts", "verify", "two"]).to_string().contains("served from the transcript `one.transcript`"));
    // Strict: another question is not answered by it.
    p.write("plan.yaml", PLAN.replace("the first program", "a poem"));
    fails(&p, "three", &["--replay", "one.transcript"], "D2723", "differs first at");
    assert_eq!(own.seen().len(), 1, "no provider was asked but for the recording");
}

#[test]
fn an_answer_that_cannot_be_used_is_asked_again_and_each_is_paid_for() {
    let bad = Turn::from(ScriptedReply::text("I think it is fine."));
    let contradictory = Turn::from(ScriptedReply::text(&answer("fail").text.replacen("\"fail\"", "\"pass\"", 1)));
    let own = server(vec![bad, contradictory, answer("pass").into()]);
    let p = project(own.port);
    ok(&p, "one", &[]);
    assert_eq!(own.seen().len(), 3);
    let last = own.bodies()[2].to_string();
    assert!(last.contains("The answer cannot be used") && last.contains("its criteria make it"), "{last}");
    let total = cost(&p, "one")["total"].clone();
    assert_eq!((&total["asked"], &total["tokens"]), (&json!(3), &json!(96)));
    verified(&p, "one");
    // Ten times in a row it is not asked ten times.
    let own = server(vec![Fault::SchemaViolation.into()]);
    let p = project(own.port);
    fails(&p, "one", &[], "D2736", "none of 3 answers can be used");
    assert_eq!(own.seen().len(), 3);
    assert_eq!(cost(&p, "one")["total"]["asked"], 3);
    verified(&p, "one");
}

#[test]
fn answers_that_miss_or_invent_something_are_not_used() {
    let whole: Value = serde_json::from_str(&answer("pass").text).unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = whole.clone();
        change(&mut changed);
        Turn::from(ScriptedReply::text(&changed.to_string()))
    };
    let missing = with(&|all| all["criteria"] = json!([]));
    let cited = with(&|all| all["criteria"][0]["evidence"][0]["path"] = json!("output/other.json"));
    let twice = with(&|all| {
        let first = all["criteria"][0].clone();
        all["criteria"].as_array_mut().unwrap().push(first);
    });
    let own = server(vec![missing, cited, twice]);
    let p = project(own.port);
    fails(&p, "one", &[], "D2736", "is judged twice");
    let bodies: Vec<String> = own.bodies().iter().map(ToString::to_string).collect();
    assert!(bodies[1].contains("is not judged") && bodies[2].contains("which is not in the bundle"), "{bodies:?}");
}

#[test]
fn ends_of_replies_have_their_failures() {
    for (turn, code, words) in [
        (Turn::from(answer("pass").stopped(Stop::Refusal)), "D2734", "refused"),
        (Turn::from(answer("pass").stopped(Stop::Length)), "D2735", "cut at the maximum"),
    ] {
        let own = server(vec![turn]);
        let p = project(own.port);
        fails(&p, "one", &[], code, words);
        assert_eq!(own.seen().len(), 1, "{code} is not asked again");
        verified(&p, "one");
    }
}

#[test]
fn faults_of_the_provider_have_their_codes_and_are_not_paid_twice() {
    for (fault, code) in [
        (Fault::Redirect, "D2713"),
        (Fault::Page, "D2714"),
        (Fault::NegativeUsage, "D2721"),
        (Fault::InflatedUsage, "D2750"),
        (Fault::Status(401, None), "D2704"),
        (Fault::Status(404, None), "D2702"),
        (Fault::Status(429, Some(3600)), "D2711"),
    ] {
        let own = server(vec![fault.into()]);
        let p = project(own.port);
        fails(&p, "one", &[], code, "nothing was judged");
        assert_eq!(own.seen().len(), 1, "{fault:?}");
        verified(&p, "one");
    }
    let p = project(1);
    fails(&p, "one", &[], "D2709", "nothing was judged");
    verified(&p, "one");
}

#[test]
fn what_a_model_needs_is_missed_before_the_run_starts() {
    let own = server(vec![answer("pass").into()]);
    let p = project(own.port);
    let refused = |code: &str, words: &str, more: &[&str]| {
        fails(&p, "one", more, code, words);
        p.refuses(&["runs", "show", "one"], 1, "D2004", "one");
    };
    // No rule of the profile lets the call out, and a limit of the settings takes the rule away.
    let without = |line: &str| {
        profile(own.port, "")
            .lines()
            .filter(|own| !own.starts_with(line))
            .map(|own| format!("{own}\n"))
            .collect::<String>()
    };
    p.write("judged.yaml", without("egress"));
    refused("D2738", "no egress rule", &[]);
    p.write("judged.yaml", profile(own.port, ""));
    p.write(".deed/settings.yaml", "limits: { egress: [] }\n");
    refused("D2738", "no egress rule", &[]);
    p.write(".deed/settings.yaml", "limits: {}\n");
    // A model without a price, under a money budget.
    p.write("judged.yaml", profile(own.port, "").replace(MODEL, "anthropic:unpriced-1"));
    refused("D2706", "has no price", &["--budget", "money_micros=1000"]);
    p.write("judged.yaml", profile(own.port, "").replace("http://127", "ftp://127"));
    refused("D2739", "cannot be read", &[]);
    p.write("judged.yaml", profile(own.port, ""));
    p.shell("rm .deed/secrets/anthropic");
    refused("D2703", "anthropic", &[]);
    assert_eq!(own.seen().len(), 0);
}

#[test]
fn a_call_beyond_a_budget_does_not_leave() {
    let own = server(vec![answer("pass").into()]);
    let p = project(own.port);
    fails(&p, "money", &["--budget", "money_micros=10"], "D2052", "money_micros");
    p.write("plan.yaml", PLAN.replace("model_tokens: 60000", "model_tokens: 700"));
    fails(&p, "tokens", &[], "D2052", "model_tokens");
    // Without tokens in its budget, a step has no model.
    p.write("plan.yaml", PLAN.replace(", model_tokens: 60000", ""));
    fails(&p, "none", &[], "D2052", "model_tokens");
    assert_eq!(own.seen().len(), 0);
    assert_eq!(cost(&p, "money")["calls"], json!([]));
}

#[test]
fn without_a_bound_model_only_rules_judge() {
    let p = project(1);
    p.write("judged.yaml", "profile_id: judged\nversion: 1.0.0\nissuer: tenant_acme_prod\n");
    fails(&p, "one", &[], "D2048", "no evaluator model is configured");
}

#[test]
fn nothing_moves_while_a_run_waits() {
    let own = server(vec![answer("pass").into()]);
    let p = project(own.port);
    let gated = PLAN.replace("  - id: judge\n", "  - id: judge\n    waits_for: [begin]\n").replace(
        "gates:\n",
        "gates:\n  - { id: begin, question: Shall it be judged?, approver_role: lead, after: [] }\n",
    );
    p.write("plan.yaml", gated);
    let ran = run(&p, "one", &[]);
    assert_eq!(ran.code, 5, "{}{}", ran.stdout, ran.stderr);
    let before = p.json(&["runs", "show", "one"])["data"]["profile"].clone();
    // The profile, its prompts, its egress and the settings are other ones now.
    let other = server(vec![answer("fail").into()]);
    p.write(
        "judged.yaml",
        profile(other.port, "prompts: [{ prompt_ref: workspace.operator.evaluator.system@v2, text: Say fail. }]\n"),
    );
    p.write(".deed/settings.yaml", "limits: { egress: [], money_micros: 0 }\n");
    p.ok(&["gate", "approve", "one", "begin", "--as", "lead"]);
    p.ok(&["runs", "resume", "one", "--approve", "clerk"]);
    assert_eq!((own.seen().len(), other.seen().len()), (1, 0));
    assert_eq!(p.json(&["runs", "show", "one"])["data"]["profile"], before);
    assert_eq!(verdict(&p, "one")["verdict"], "pass");
    verified(&p, "one");
}

#[test]
fn altered_calls_are_found() {
    for (table, find, with) in
        [("small_blobs", "Ada Lovelace wrote", "Eve Lovelace wrote"), ("small_blobs", "\"dated\":\"", "\"dated\":\"0")]
    {
        let own = server(vec![answer("pass").into()]);
        let p = project(own.port);
        ok(&p, "one", &[]);
        verified(&p, "one");
        change(&p, |db| replace(db, table, "bytes", find, with));
        let found = p.run(&["receipts", "verify", "one"]);
        let said = format!("{}{}", found.stdout, found.stderr);
        assert!(found.code == 1 && said.contains("altered"), "{said}");
    }
}
