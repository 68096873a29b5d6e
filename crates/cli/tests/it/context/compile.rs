//! Compiles that go through.

use super::example::{compile, compiled, example, run_with, vary};
use deed_diag::{Document, Format};
use deed_model::{CompiledContext, schema_for};
use deed_schema::Shape;
use serde_json::json;

const ALL: [&str; 4] = ["--evidence", "evidence.yaml", "--memory", "memory.yaml"];

#[test]
fn the_summary_names_every_part() {
    let p = example();
    let out = p.ok(&compile(&ALL));
    for line in [
        "outcome    must_escalate",
        "pack       ctxpack.support@1.0.0",
        "intent     support.refund",
        "rule       R_REFUND_REQUIRES_IDV (require)",
        "gate       GATE_FINANCE_APPROVAL",
        "tool       adp_payments.issue_refund (destructive)",
        "evidence   tool:adp_orders.lookup:call_1",
        "memory     mem_pref_17",
        "hash       sha256:",
    ] {
        assert!(out.stdout.contains(line), "{line}\n{}", out.stdout);
    }
    assert!(out.stderr.contains("must escalate: a person decides"), "{}", out.stderr);
    assert_eq!(p.ok(&compile(&ALL)).stdout, out.stdout, "the same inputs give the same bytes");
}

#[test]
fn the_prompt_alone() {
    let p = example();
    let out = p.ok(&compile(&[&ALL[..], &["--prompt"]].concat()));
    assert!(out.stdout.starts_with("You work under the context pack ctxpack.support@1.0.0."), "{}", out.stdout);
    assert!(out.stdout.ends_with("<<<message\nRefund order ord_881 for INR 4200.\n>>>\n"), "{}", out.stdout);
    let order = ["R_HIGH_VALUE_REQUIRES_APPROVAL:", "adp_payments.issue_refund (", "Help for customers", "<<<ev_0 "];
    let places: Vec<usize> = order.iter().map(|part| out.stdout.find(part).unwrap()).collect();
    assert!(places.is_sorted(), "the stable part comes first: {places:?}");
    assert_eq!(p.run(&compile(&["--prompt", "--json"])).code, 2);
}

#[test]
fn json_has_the_shape_of_its_schema() {
    let p = example();
    let data = compiled(&p, &ALL);
    let document = Document::read("data", data.to_string().as_bytes(), Format::Json).unwrap();
    let findings = Shape::new(schema_for::<CompiledContext<'_>>()).findings(&document);
    assert!(findings.is_empty(), "{findings:#?}");
    assert_eq!(data["outcome"], "must_escalate");
    assert_eq!(data["runtime_controls"]["approval_gates_active"], json!(["GATE_FINANCE_APPROVAL"]));
    assert_eq!(data["manifests"]["evidence_manifest"].as_array().unwrap().len(), 5);
    assert_eq!(data["context_ledger"]["stage_hashes"].as_array().unwrap().len(), 8);
    assert!(data["compiled_prompt"]["task"].as_str().unwrap().contains("Refund order ord_881"));
}

#[test]
fn what_must_be_done_is_said_and_is_no_failure() {
    let p = example();
    let told = |request: &str, outcome: &str, says: &str| {
        let out = p.ok(&compile(&["--request", request]));
        assert!(out.stdout.starts_with(&format!("outcome    {outcome}\n")), "{}", out.stdout);
        assert!(out.stderr.lines().any(|line| line == says), "{}", out.stderr);
    };
    told("small.yaml", "compiled", "compiled");
    told("request.yaml", "must_escalate", "compiled, and must escalate: a person decides before anything is done");
    vary(&p, "small.yaml", "unverified.yaml", &[("identity_verified: true", "identity_verified: false")]);
    told("unverified.yaml", "must_refuse", "compiled, and must refuse: nothing above read_only may run");
}

#[test]
fn overlays_by_option_and_by_request() {
    let p = example();
    // Below the pack's threshold, above that of the overlay.
    vary(&p, "request.yaml", "middle.yaml", &[("4200", "2000")]);
    assert_eq!(compiled(&p, &["--request", "middle.yaml"])["outcome"], "compiled");
    let by_option = compiled(&p, &["--request", "middle.yaml", "--overlay", "high_risk"]);
    assert_eq!(by_option["outcome"], "must_escalate");
    assert_eq!(by_option["context_ledger"]["overlays"][0]["reference"], "ctxpack.support.high_risk@1.0.0");
    let both = "ctxpack.support@1.0.0, ctxpack.support.high_risk@1.0.0";
    vary(&p, "middle.yaml", "both.yaml", &[("ctxpack.support@1.0.0", both)]);
    let by_request = compiled(&p, &["--request", "both.yaml"]);
    assert_eq!(by_request["outcome"], "must_escalate");
    assert_eq!(by_request["manifests"], by_option["manifests"]);
    // Naming it twice applies it once.
    let twice = compiled(&p, &["--request", "both.yaml", "--overlay", "high_risk"]);
    assert_eq!(twice, by_request);
}

#[test]
fn the_instant_comes_from_the_option_the_run_or_the_clock() {
    let p = example();
    let memory = |options: &[&str]| {
        let data = compiled(&p, &[&["--memory", "memory.yaml"], options].concat());
        (data["context_ledger"]["as_of"].clone(), data["context_ledger"]["memory"][0]["status"].clone())
    };
    assert_eq!(memory(&[]), (json!("2026-05-09T10:00:00Z"), json!("kept")));
    let later = "2028-05-09T10:00:00Z";
    assert_eq!(memory(&["--as-of", later]), (json!(later), json!("rejected")));
    vary(&p, "run.yaml", "open.yaml", &[("as_of: \"2026-05-09T10:00:00Z\"\n", "")]);
    assert_eq!(memory(&["--run", "open.yaml"]), (json!("2026-11-15T00:00:00Z"), json!("kept")));
}

#[test]
fn one_input_comes_from_standard_input() {
    let p = example();
    let request = json!({
        "request_id": "req_881",
        "input": { "intent": "support.refund", "context": { "identity_verified": true, "refund_amount": 1 } }
    });
    p.write("request.json", request.to_string());
    let deed = env!("CARGO_BIN_EXE_deed");
    let out = p.shell(&format!("'{deed}' context compile --pack ./support --request - --run run.yaml < request.json"));
    assert!(out.code == 0 && out.stdout.starts_with("outcome    compiled\n"), "{}{}", out.stdout, out.stderr);
    // YAML as well as JSON, and both give the same bytes as the file.
    let command = format!("'{deed}' context compile --pack ./support --request - --run run.yaml");
    let yaml = p.shell(&format!("{command} < request.yaml"));
    assert_eq!((yaml.code, yaml.stdout), (0, p.ok(&compile(&[])).stdout), "{}", yaml.stderr);
    // What is wrong has a place there too.
    vary(&p, "request.yaml", "broken.yaml", &[("channel: chat", "channel: [chat")]);
    let broken = p.shell(&format!("{command} < broken.yaml"));
    assert!(broken.code == 1 && broken.stderr.contains("[D0103]"), "{}", broken.stderr);
}

/// A refusal points into the file that was given, whatever the input is called inside.
#[test]
fn refusals_have_places_in_the_files() {
    let p = example();
    for (file, option, edit, code, line) in [
        ("request.yaml", "--request", ("intent: support.refund", "intent: support.refnd"), "D1511", "support.refnd"),
        ("run.yaml", "--run", ("evidence: 400", "evidnce: 400"), "D1516", "evidnce: 400"),
        ("run.yaml", "--run", ("policy: 1800", "policy: 1"), "D1515", "policy: 1,"),
        ("run.yaml", "--run", ("tokenizer: bytes/4", "tokenizer: gpt2"), "D1508", "tokenizer: gpt2"),
        ("run.yaml", "--run", ("tenant_acme_prod", "tenant_other"), "D1504", "tenant_other"),
    ] {
        vary(&p, file, "given.yaml", &[edit]);
        let out = p.refuses(&compile(&[option, "given.yaml"]), 1, code, "--> given.yaml:");
        let number = std::fs::read_to_string(p.path("given.yaml")).unwrap().lines().position(|l| l.contains(line));
        let place = format!("given.yaml:{}:", number.unwrap() + 1);
        assert!(out.stderr.contains(&place), "{place}\n{}", out.stderr);
    }
}

/// A rule that could not be evaluated says so where a person looks.
#[test]
fn a_rule_that_failed_says_why() {
    let p = example();
    vary(&p, "request.yaml", "text.yaml", &[("refund_amount: 4200", "refund_amount: much")]);
    let out = p.ok(&compile(&["--request", "text.yaml"])).stdout;
    let start = "rule       R_HIGH_VALUE_REQUIRES_APPROVAL (deny: policy_eval_error: ";
    assert!(out.lines().any(|line| line.starts_with(start) && line.ends_with(')')), "{out}");
    assert!(out.starts_with("outcome    must_refuse\n"), "{out}");
}

#[test]
fn the_block_that_broke_the_prefix() {
    let p = example();
    p.ok_to("earlier.json", &compile(&["--json"]));
    let same = p.ok(&compile(&["--earlier", "earlier.json"]));
    assert!(same.stdout.contains("the same as the earlier one"), "{}", same.stdout);
    let other = compiled(&p, &["--request", "small.yaml", "--earlier", "earlier.json"]);
    // The rule's block is gone; what came after it only moved up.
    assert_eq!(other["prefix_change"]["broken_by"], "pol_1");
}

#[test]
fn a_run_says_which_tokenizer_counts() {
    let p = example();
    let tokens = |run: &str| {
        let data = compiled(&p, &["--run", run]);
        (data["context_ledger"]["tokenizer"].clone(), data["budget_report"]["tokens_used_at_compile"].clone())
    };
    vary(&p, "run.yaml", "plain.yaml", &[("tokenizer: bytes/4\n", "")]);
    vary(&p, "run.yaml", "older.yaml", &[("tokenizer: bytes/4", "tokenizer: cl100k_base")]);
    let (estimated, counted, older) = (tokens("run.yaml"), tokens("plain.yaml"), tokens("older.yaml"));
    assert_ne!(estimated.1, counted.1);
    assert_ne!(counted.0, older.0);
}

#[test]
fn what_was_assumed_is_noted() {
    let p = example();
    vary(&p, "run.yaml", "vague.yaml", &[("ontologies: { ont.support: [\"1.0.0\"] }\n", "")]);
    let out = p.ok(&compile(&["--run", "vague.yaml"]));
    assert!(out.stdout.contains("note       D1520  the run does not list its ontologies"), "{}", out.stdout);
    run_with(&p, "tight.yaml", "safety_mode_was: destructive");
    assert_eq!(compiled(&p, &["--run", "tight.yaml"])["context_ledger"]["notices"], json!([]));
}
