//! What inputs state in other places, beyond a limit, or too deep.

use super::example::{compile, compiled, context, example, refused, run_with, vary};
use serde_json::{Value, json};

/// The content of the session block.
fn session(data: &Value) -> String {
    let blocks = data["compiled_prompt"]["context_blocks"].as_array().unwrap();
    let block = blocks.iter().find(|block| block["bucket"] == "session").unwrap();
    block["content"].as_str().unwrap().to_owned()
}

#[test]
fn channel_and_locale_may_stand_in_the_input() {
    let p = example();
    let moved = [("channel: chat\nlocale: en-IN\ninput:\n", "input:\n  channel: phone\n  locale: de-DE\n")];
    vary(&p, "request.yaml", "moved.yaml", &moved);
    let text = session(&compiled(&p, &["--request", "moved.yaml"]));
    assert!(text.contains("phone") && text.contains("de-DE"), "{text}");
    assert_eq!(p.ok(&compile(&["--request", "moved.yaml"])).stderr.matches("D1519").count(), 0);
}

#[test]
fn the_user_is_the_subject_by_either_name() {
    let p = example();
    let edits = [
        ("user: { id: agt_17, role: support_agent }", "user: { user_id: cus_9, role: support_agent }"),
        ("subject_ids: [customer:cus_17]\n", ""),
    ];
    vary(&p, "run.yaml", "user.yaml", &edits);
    let memory = json!([{
        "id": "m1", "tenant_id": "tenant_acme_prod", "subject": "cus_9", "intent_id": "*", "tier": "semantic",
        "class": "preference", "text": "likes short answers", "promoted_at": "2026-05-01T00:00:00Z",
        "classification": "INTERNAL", "provenance": ["session:ses_1"]
    }]);
    p.write("memory.json", memory.to_string());
    let data = compiled(&p, &["--run", "user.yaml", "--memory", "memory.json"]);
    assert_eq!(data["context_ledger"]["memory"][0]["status"], "kept", "{:#}", data["context_ledger"]["memory"]);
}

#[test]
fn a_budget_beyond_any_prompt_is_refused_at_its_place() {
    let p = example();
    vary(&p, "run.yaml", "huge.yaml", &[("evidence: 400", "evidence: 9007199254740991")]);
    let out = refused(&p, &compile(&["--run", "huge.yaml"]), 1, "D1570", "more than any prompt has");
    assert!(out.stderr.contains("huge.yaml:") && out.stderr.contains("such as 8000"), "{}", out.stderr);
}

#[test]
fn what_is_nested_too_deep_to_be_recorded_is_refused_at_its_place() {
    let p = example();
    let nested = format!("{}1{}", "[".repeat(125), "]".repeat(125));
    vary(
        &p,
        "request.yaml",
        "deep.yaml",
        &[("    refund_amount: 4200", &format!("    refund_amount: 4200\n    x: {nested}"))],
    );
    let out = refused(&p, &context("record", &["--request", "deep.yaml"]), 1, "D1517", "no canonical form");
    assert!(out.stderr.contains("deep.yaml:") && out.stderr.contains("flatten"), "{}", out.stderr);
}

#[test]
fn a_recording_that_could_not_be_read_again_is_refused() {
    let p = example();
    let text = "x".repeat(36 * 1024 * 1024);
    let content = text.get(..17 * 1024 * 1024).unwrap();
    let item = |id: &str| super::example::evidence(id, content);
    p.write("evidence.json", json!([item("a")]).to_string());
    p.write("memory.json", json!([{ "id": "m", "text": content }]).to_string());
    let out = p.run(&context("record", &["--evidence", "evidence.json", "--memory", "memory.json", "--out", "a.json"]));
    assert!(out.code == 1 && out.stderr.contains("D1571") && out.stderr.contains("largest part"), "{}", out.stderr);
    assert!(!p.path("a.json").exists());
}

#[test]
fn a_component_that_the_run_states_is_compared() {
    let p = example();
    super::example::pack_with(
        &p,
        "gated",
        &[("      ontology: \">=1.0.0\"", "      ontology: \">=1.0.0\"\n      gateway: \">=2.0.0\"")],
    );
    p.ok(&["pack", "lint", "gated", "--no-record"]);
    refused(&p, &compile(&["--pack", "./gated"]), 1, "D1505", "`gateway`");
    run_with(&p, "old.yaml", "components: { gateway: 1.0.0 }");
    refused(&p, &compile(&["--pack", "./gated", "--run", "old.yaml"]), 1, "D1505", "1.0.0");
    run_with(&p, "new.yaml", "components: { gateway: 2.1.0 }");
    compiled(&p, &["--pack", "./gated", "--run", "new.yaml"]);
}

#[test]
fn a_name_that_decides_the_format_is_named() {
    let p = example();
    vary(&p, "request.yaml", "request.txt", &[]);
    refused(&p, &compile(&["--request", "request.txt"]), 1, "D0103", "`.txt` is read as JSON");
}
