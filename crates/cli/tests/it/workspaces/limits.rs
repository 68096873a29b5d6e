//! What a workspace holds its runs to, and what it gives them by default.

use super::fixture::{data, tally, uploaded};
use crate::common::Project;
use crate::run::example::TALLY;
use serde_json::json;

const RUN: [&str; 6] = ["run", "tally.yaml", "--id", "one", "--approve", "clerk"];

fn limited(settings: &str) -> Project {
    let p = uploaded();
    p.write("limits.yaml", settings);
    p.ok(&["workspace", "set", "--settings", "limits.yaml"]);
    p
}

fn reaching(rule: &str) -> String {
    let more = format!("    max_retries: 0\n    tool_needs: [http.fetch]\n    egress: [{rule}]");
    TALLY.replacen("    max_retries: 0", &more, 1)
}

#[test]
fn limits_hold_without_a_profile() {
    let p = limited(
        "limits: { tool_calls: 3, money_micros: 7 }\nwindow_size: 2\ntimeouts: { run_wall_ms: 200000, approval_ms: 60000 }\n",
    );
    p.ok(&RUN);
    let shown = data(&p, &["runs", "show", "one"]);
    assert_eq!((&shown["grant"]["governed_calls"], &shown["grant"]["wall_seconds"]), (&json!(3), &json!(200)));
    assert_eq!(shown["grant"]["money_micros"], 7);
    assert_eq!(shown.get("profile"), None);
    let submitted = data(&p, &["runs", "events", "one", "--kind", "submitted"]).to_string();
    assert!(submitted.contains("\"parallel\":2") && submitted.contains("\"gate_seconds\":60"), "{submitted}");
}

#[test]
fn a_plan_beyond_the_limits_does_not_start() {
    let p = limited("limits: { max_steps: 1 }\n");
    p.refuses(&RUN, 1, "D3024", "the plan has 2 steps, and the workspace `reports` allows 1");
    let p = limited("limits: { egress: [{ host: a.example, paths: [\"/v1/*\"] }] }\n");
    p.write("tally.yaml", reaching("{ host: b.example }"));
    p.refuses(&RUN, 1, "D3024", "reaches `b.example`");
    // A rule may only narrow.
    p.write("tally.yaml", reaching("{ host: a.example }"));
    p.refuses(&RUN, 1, "D3024", "reaches `a.example`");
    p.write("tally.yaml", reaching("{ host: a.example, paths: [\"/v1/orders\"] }"));
    p.ok(&RUN);
    p.write("tally.yaml", TALLY);
    p.refuses(&["run", "tally.yaml", "--id", "two", "--learn-egress"], 1, "D3024", "--learn-egress");
    p.refuses(&["runs", "show", "two"], 1, "D2004", "two");
}

#[test]
fn the_profile_of_the_workspace_governs_its_runs() {
    let p = uploaded();
    let least = "profile_id: team\nversion: 1.0.0\nissuer: tenant_acme_prod\nbudgets: { tool_calls: 9 }\n";
    p.write("team.yaml", least);
    p.write("tenant.yaml", least.replace("team", "tenant"));
    p.ok(&["keys", "generate", "acme"]);
    p.ok(&["keys", "trust", "acme", "--issuer", "tenant_acme_prod", "--sign"]);
    p.ok(&["profile", "publish", "team.yaml", "--key", "acme"]);
    p.ok(&["profile", "publish", "tenant.yaml", "--key", "acme"]);
    p.ok(&["profile", "bind", "tenant@1.0.0"]);
    let profile = |id: &str| data(&p, &["runs", "show", id])["profile"]["profile_ref"].clone();
    tally(&p, "one");
    assert_eq!(profile("one"), "tenant@1.0.0");
    // The default of the workspace, then the one that is bound to it, then the one that is named.
    p.ok(&["workspace", "set", "--profile", "fast-prototype"]);
    let out = tally(&p, "two");
    assert!(out.stderr.contains("governs the run: it is the default of the workspace"), "{}", out.stderr);
    assert!(profile("two").as_str().unwrap().starts_with("fast-prototype@"));
    p.ok(&["profile", "bind", "team@1.0.0", "--workspace", "reports"]);
    let out = tally(&p, "three");
    assert!(out.stderr.contains("profile team@1.0.0 governs the run: it is bound to the workspace"), "{}", out.stderr);
    assert_eq!(profile("three"), "team@1.0.0");
    assert_eq!(data(&p, &["workspace", "show"])["profile"], json!({ "profile": "team@1.0.0", "origin": "workspace" }));
    p.ok(&["run", "tally.yaml", "--id", "four", "--approve", "clerk", "--profile", "tenant@1.0.0"]);
    assert_eq!(profile("four"), "tenant@1.0.0");
    // The settings of the workspace are a level of the chain, and are frozen with the run.
    p.write("limits.yaml", "limits: { tool_calls: 2 }\n");
    p.ok(&["workspace", "set", "--settings", "limits.yaml"]);
    tally(&p, "five");
    assert_eq!(data(&p, &["runs", "show", "five"])["grant"]["governed_calls"], 2);
    let hash = |id: &str| data(&p, &["runs", "show", id])["profile"]["snapshot_hash"].clone();
    assert_ne!(hash("three"), hash("five"));
}

#[test]
fn the_pack_of_the_workspace_governs_its_runs() {
    let p = Project::published();
    p.write("tally.yaml", TALLY);
    p.write("orders.csv", "order,amount\na,40\n");
    p.ok(&["workspace", "new", "desk", "--use", "--pack", "ctxpack.support@1.0.0"]);
    p.ok(&["files", "put", "orders.csv"]);
    let out = p.ok(&RUN);
    assert!(out.stderr.contains("pack ctxpack.support@1.0.0 governs the run"), "{}", out.stderr);
    let submitted = data(&p, &["runs", "events", "one", "--kind", "submitted"]).to_string();
    assert!(submitted.contains("\"classification\":"), "{submitted}");
}

#[test]
fn runs_of_a_workspace_send_only_the_secrets_that_it_names() {
    let p = uploaded();
    let rule =
        "{ host: a.example, credential: { secret: \"secret://pay\", header: authorization, format: \"Bearer {}\" } }";
    p.write("tally.yaml", reaching(rule));
    p.write(".deed/secrets/pay", "top-value-1");
    p.write(".deed/secrets/other", "other-value-2");
    assert_eq!(p.shell("chmod 600 .deed/secrets/*").code, 0);
    let out = p.refuses(&RUN, 1, "D2056", "does not name it");
    assert!(!out.stderr.contains("top-value-1"), "{}", out.stderr);
    p.ok(&["workspace", "set", "--secret", "pay=env:WORKSPACE_TEST_UNSET"]);
    p.refuses(&RUN, 1, "D2056", "the variable `WORKSPACE_TEST_UNSET` is not set");
    p.ok(&["workspace", "set", "--secret", "pay=file:other"]);
    p.ok(&RUN);
    let frozen = data(&p, &["runs", "show", "one"])["workspace"]["secrets"].clone();
    assert_eq!(frozen, json!({ "pay": { "from": "file", "file": "other" } }));
    p.ok(&["workspace", "set", "--unset", "secret:pay"]);
    assert_eq!(data(&p, &["runs", "show", "one"])["workspace"]["secrets"], frozen);
    // Outside of the workspace, secrets are those of the project.
    p.write("in/orders.csv", "order,amount\na,1\n");
    p.ok(&["run", "tally.yaml", "--id", "two", "--approve", "clerk", "--no-workspace", "--input", "in"]);
}
