//! Endpoints: registered by environment, resolved in compiles, and reached by runs with the credential added outside.

use crate::common::Project;
use crate::common::billing::Api;
use crate::context::example::{context, inputs};
use crate::run::egress::{SECRET, secret};
use serde_json::json;

const PACK: &str = "ctxpack.support@1.0.0";
const ORDERS: [&str; 4] = ["endpoint", "add", "internal://orders", "--env"];

fn add<'a>(environment: &'a str, url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&ORDERS[..], &[environment, "--type", "OPENAPI", "--url", url], more].concat()
}

#[test]
fn an_entry_is_added_listed_shown_replaced_and_removed_on_record() {
    let p = Project::new();
    let key = ["--secret", "orders_key", "--format", "Bearer {}"];
    let added = p.ok(&add("prod", "https://orders.test/v1", &key));
    assert_eq!(added.stdout, "prod       internal://orders  OPENAPI  https://orders.test/v1  secret://orders_key\n");
    let again = p.json(&add("prod", "https://orders.test/v1", &key));
    assert_eq!(again["data"]["event"], json!(null), "the same entry is recorded once");
    p.ok(&add("stage", "https://stage.orders.test", &[]));
    assert_eq!(p.json(&["endpoint", "list"])["data"].as_array().unwrap().len(), 2);
    assert_eq!(p.json(&["endpoint", "list", "--env", "stage"])["data"][0]["environment"], json!("stage"));
    let shown = p.ok(&["endpoint", "show", "internal://orders", "--env", "prod"]).stdout;
    assert!(shown.contains("credential   secret://orders_key in authorization\n"), "{shown}");
    p.ok(&add("prod", "https://orders.test/v2", &[]));
    let shown = p.json(&["endpoint", "show", "internal://orders", "--env", "prod"])["data"].clone();
    assert_eq!((&shown["base_url"], &shown["secret"]), (&json!("https://orders.test/v2"), &json!(null)));
    p.ok(&["endpoint", "remove", "internal://orders", "--env", "stage", "--reason", "closed"]);
    let remove = ["endpoint", "remove", "internal://order", "--env", "prod", "--reason", "x"];
    p.refuses(&remove, 1, "D2502", "did you mean `internal://orders`?");
    let log = p.ok(&["pack", "log"]).stdout;
    assert!(log.contains("endpoint_set") && log.contains("endpoint_removed"), "{log}");
    assert!(log.contains("endpoint:prod:internal://orders"), "{log}");
    p.ok(&["pack", "verify"]);
}

#[test]
fn what_cannot_be_reached_is_not_registered() {
    let p = Project::new();
    for (url, more, says) in [
        ("ftp://orders.test", &[][..], "base URL"),
        ("https://user@orders.test", &[], "base URL"),
        ("https://orders.test?token=1", &[], "base URL"),
        ("http://orders.test", &["--secret", "key"], "https"),
        ("https://orders.test", &["--secret", "Not A Name"], "secret"),
        ("https://orders.test", &["--secret", "key", "--format", "no place"], "format"),
    ] {
        let out = p.refuses(&add("prod", url, more), 1, "D2501", says);
        assert!(!out.stderr.contains("user@") && !out.stderr.contains("token=1"), "{}", out.stderr);
    }
    p.refuses(&add("Prod", "https://orders.test", &[]), 1, "D2501", "environment");
    let reference =
        ["endpoint", "add", "https://orders.test", "--env", "prod", "--type", "MCP", "--url", "https://a.test"];
    p.refuses(&reference, 1, "D2501", "not a registry reference");
    assert_eq!(p.json(&["endpoint", "list"])["data"], json!([]), "nothing was recorded");
}

#[test]
fn a_compile_by_environment_states_the_endpoint_and_never_the_credential() {
    let p = Project::published();
    inputs(&p);
    p.ok(&["pack", "pin", PACK, "--env", "prod"]);
    let by_env = context("compile", &["--pack", "ctxpack.support", "--env", "prod"]);
    let out = p.ok(&by_env);
    assert!(out.stderr.contains("D2503") && out.stderr.contains("internal://orders"), "{}", out.stderr);
    p.ok(&add("prod", "https://orders.test/v1", &["--secret", "orders_key"]));
    p.ok(&["endpoint", "add", "internal://policy", "--env", "prod", "--type", "MCP", "--url", "https://policy.test"]);
    p.ok(&[
        "endpoint",
        "add",
        "internal://payments",
        "--env",
        "prod",
        "--type",
        "OPENAPI",
        "--url",
        "https://pay.test",
    ]);
    let out = p.ok(&by_env);
    assert!(
        !out.stderr.contains("D2503") && out.stderr.contains("D2504"),
        "the type of policy differs: {}",
        out.stderr
    );
    let data = p.json(&by_env)["data"].clone();
    let tools = data["manifests"]["tool_manifest"].clone();
    let orders = json!({ "base_url": "https://orders.test/v1", "endpoint_ref": "internal://orders", "environment": "prod",
        "type": "OPENAPI" });
    assert_eq!(tools[0]["endpoint"], orders);
    assert_eq!(tools[1]["endpoint"].get("base_url"), None, "an entry of another type is no address");
    assert!(!data.to_string().contains("orders_key"), "{data}");
    // A recording has its endpoints with it, and replays where nothing is registered.
    let record = context("record", &["--pack", "ctxpack.support", "--env", "prod", "--out", "one.json"]);
    p.ok(&record);
    p.ok(&["endpoint", "remove", "internal://orders", "--env", "prod", "--reason", "moved"]);
    assert!(p.ok(&["context", "replay", "one.json"]).stdout.contains("equal"));
}

#[test]
fn an_overlay_that_redirects_an_endpoint_leads_elsewhere() {
    let p = Project::published();
    inputs(&p);
    p.ok(&["pack", "pin", PACK, "--env", "stage", "--overlay", "staging"]);
    let staging = ["endpoint", "add", "internal://orders-staging", "--env", "stage", "--type", "OPENAPI", "--url"];
    p.ok(&[&staging[..], &["https://stage.orders.test"]].concat());
    p.ok(&add("stage", "https://orders.test", &[]));
    let data = p.json(&context("compile", &["--pack", "ctxpack.support", "--env", "stage"]))["data"].clone();
    let orders = data["manifests"]["tool_manifest"][0]["endpoint"].clone();
    assert_eq!(orders["base_url"], json!("https://stage.orders.test"), "{orders}");
}

#[test]
fn capabilities_are_compared_with_the_operations_of_the_service() {
    let p = Project::published();
    inputs(&p);
    p.ok(&["pack", "pin", PACK, "--env", "prod"]);
    let api = "openapi: 3.1.0\ninfo: { title: orders, version: '1' }\npaths:\n  /orders:\n    get:\n      operationId: lookUp\n      \
               responses: { '200': { description: ok } }\n";
    p.write("orders.yaml", api);
    p.ok(&add("prod", "https://orders.test", &["--openapi", "orders.yaml"]));
    let out = p.ok(&context("compile", &["--pack", "ctxpack.support", "--env", "prod"]));
    assert!(out.stderr.contains("D2505") && out.stderr.contains("`adp_orders.lookup`"), "{}", out.stderr);
    p.edit_in_place("orders.yaml", &[("lookUp", "lookup")]);
    p.ok(&add("prod", "https://orders.test", &["--openapi", "orders.yaml"]));
    let out = p.ok(&context("compile", &["--pack", "ctxpack.support", "--env", "prod"]));
    assert!(!out.stderr.contains("D2505"), "{}", out.stderr);
}

/// A plan whose code knows the endpoint alone: neither its address nor its credential.
const PLAN: &str = r#"plan: ask
mission: { objective: Ask the orders what they have }
policy_profile_id: generic.inference-allowed.v1
steps:
  - id: ask
    label: Ask
    objective: MUST write down what it was answered
    code:
      language: python
      source: |
        import json
        from deed import fetch
        answer = fetch("adapter://adp_orders/corrections")
        json.dump({"status": answer["status"]}, open("output/answer.json", "w"))
    tool_needs: [http.fetch]
    egress: [{ endpoint: "adapter://adp_orders", paths: [/corrections] }]
    expected_outputs: [{ path: output/answer.json }]
    artifact_contracts: { output/answer.json: { format: json, kind_key: object.json } }
    budget: { wall_seconds: 60 }
    max_retries: 0
"#;

const RUN: [&str; 9] = [
    "run",
    "--plan",
    "ask.yaml",
    "--pack",
    "ctxpack.support",
    "--env",
    "prod",
    "--resolve",
    "api.example.test=127.0.0.1",
];

#[test]
fn a_run_reaches_the_endpoint_with_the_credential_added_outside() {
    let api = Api::start();
    let p = Project::published();
    p.ok(&["pack", "pin", PACK, "--env", "prod"]);
    p.write("ask.yaml", PLAN);
    p.refuses(&["plan", "check", "ask.yaml"], 1, "D2503", "--pack ID --env ENV");
    p.refuses(&RUN, 1, "D2503", "adapter://adp_orders");
    let url = format!("http://api.example.test:{}/v1", api.port);
    let more = ["--private-addresses", "--secret", "api_key", "--format", "Bearer {}"];
    p.ok(&add("prod", &url, &more));
    secret(&p, 0o600);
    p.ok(&[&RUN[..], &["--id", "one"]].concat());
    let answer = p.ok(&["artifacts", "cat", "one", "output/answer.json"]).stdout;
    assert_eq!(answer, r#"{"status": 200}"#);
    let events = p.ok(&["runs", "events", "one", "--json"]).stdout;
    assert!(events.contains("/v1/corrections") && !events.contains(SECRET), "{events}");
    p.ok(&["receipts", "verify", "one"]);
    // The rule is about the paths beneath the endpoint, and no others.
    p.edit_in_place("ask.yaml", &[("adp_orders/corrections\")", "adp_orders/../v1/rates\")")]);
    let out = p.run(&[&RUN[..], &["--id", "two"]].concat());
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stderr.contains("D2051"), "{}", out.stderr);
}

#[test]
fn an_egress_rule_states_its_endpoint_or_its_host() {
    let p = Project::linted();
    p.write("ask.yaml", PLAN.replace("paths: [/corrections] }", "host: api.test, private_addresses: true }"));
    let out = p.refuses(&["plan", "check", "ask.yaml"], 1, "D2506", "`host` comes from the endpoint");
    assert!(out.stderr.contains("`private_addresses` comes from the endpoint"), "{}", out.stderr);
}

#[test]
fn data_that_is_restricted_is_copied_only_where_that_is_meant() {
    let p = Project::linted();
    let adapters = ["adp_orders", "adp_policy", "adp_payments"].map(|id| format!("adapter_id: {id}\n      type:"));
    let cleared = adapters
        .each_ref()
        .map(|line| line.replace("\n      type:", "\n      max_classification: RESTRICTED\n      type:"));
    let mut edits: Vec<(&str, &str)> = vec![("data_classification: INTERNAL", "data_classification: RESTRICTED")];
    edits.extend(adapters.iter().zip(&cleared).map(|(old, new)| (old.as_str(), new.as_str())));
    p.edit_in_place("support/pack.yaml", &edits);
    inputs(&p);
    p.shell("rm -rf support/golden");
    let record = context("record", &["--pack", "./support", "--out", "one.json"]);
    p.refuses(&record, 1, "D2507", "--allow-restricted");
    assert!(!p.path("one.json").exists());
    p.ok(&[&record[..], &["--allow-restricted"]].concat());
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.ok(&["pack", "publish", "support"]);
    p.refuses(&["pack", "export", PACK, "--out", "support.pack.json"], 1, "D2507", "RESTRICTED");
    p.refuses(&["pack", "push", "shared"], 1, "D2507", "RESTRICTED");
    assert!(!p.path("support.pack.json").exists());
    p.ok(&["pack", "export", PACK, "--out", "support.pack.json", "--allow-restricted"]);
}

#[test]
fn the_log_never_holds_what_a_compile_read() {
    let p = Project::published();
    inputs(&p);
    let args = context("compile", &["--pack", PACK]);
    let out = p.command(&args).env("DEED_LOG", "trace").output().unwrap();
    let log = String::from_utf8_lossy(&out.stderr);
    assert!(log.contains("compile context"), "{log}");
    for content in ["returned 2026-05-02", "Refund order", "Prefers refunds", "4200"] {
        assert!(!log.contains(content), "the log holds {content:?}: {log}");
    }
}

#[test]
fn a_copy_of_a_version_says_when_it_is_stale() {
    let p = Project::published();
    let fresh = p.json(&["pack", "show", PACK])["data"]["copy"].clone();
    assert_eq!(fresh["stale"], json!(false), "{fresh}");
    let later = p.ok(&["--now", "2099-01-01T00:00:00Z", "pack", "show", PACK]).stdout;
    assert!(later.contains("stale since") && later.contains("verified again now"), "{later}");
}
