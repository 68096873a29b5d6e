use crate::common::Project;
use crate::context::example::{context, inputs};
use serde_json::Value;

const PACK: &str = "ctxpack.support@1.0.0";

fn published() -> Project {
    let p = Project::published();
    inputs(&p);
    p
}

/// The arguments of a compile by environment.
fn by_env<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    context(command, &[&["--pack", "ctxpack.support", "--env", "prod"][..], more].concat())
}

/// The names of the overlays that a compile applied.
fn overlays(p: &Project, args: &[&str]) -> Vec<String> {
    let data = p.json(args)["data"].clone();
    let list = data["context_ledger"]["overlays"].as_array().unwrap_or_else(|| panic!("{data}")).clone();
    list.iter().map(|o| o["reference"].as_str().unwrap().to_owned()).collect()
}

/// Publishes the draft under another version.
fn publish_next(p: &Project, version: &str) {
    let (old, new) = ("pack_version: 1.0.0".to_owned(), format!("pack_version: {version}"));
    p.edit_in_place("support/pack.yaml", &[(&old, &new), ("@1.0.0", &format!("@{version}"))]);
    for overlay in ["staging", "high_risk"] {
        p.edit_in_place(&format!("support/overlays/{overlay}.yaml"), &[("@1.0.0", &format!("@{version}"))]);
    }
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.ok(&["pack", "publish", "support"]);
}

#[test]
fn an_environment_decides_version_and_overlays() {
    let p = published();
    p.refuses(&by_env("compile", &[]), 1, "D1211", "no version of `ctxpack.support` pinned");
    let pinned = p.ok(&["pack", "pin", PACK, "--env", "prod", "--overlay", "high_risk"]);
    assert_eq!(pinned.stdout, "ctxpack.support@1.0.0 prod +high_risk\n");
    p.refuses(
        &["pack", "pin", PACK, "--env", "prod", "--overlay", "high"],
        1,
        "D1009",
        "it has `staging`, `high_risk`",
    );
    let high = "ctxpack.support.high_risk@1.0.0".to_owned();
    assert_eq!(overlays(&p, &by_env("compile", &[])), std::slice::from_ref(&high));
    // A caller may add declared overlays, and cannot leave out a pinned one.
    let both = overlays(&p, &by_env("compile", &["--overlay", "staging"]));
    assert_eq!(both, ["ctxpack.support.staging@1.0.0".to_owned(), high]);
    let out = p.ok(&by_env("compile", &[]));
    assert!(out.stdout.contains("pack       ctxpack.support@1.0.0 (proven), pinned in prod\n"), "{}", out.stdout);
    let ledger = p.json(&by_env("compile", &[]))["data"]["context_ledger"].clone();
    let source = serde_json::json!({ "origin": "proven", "named_by": { "by": "environment", "environment": "prod" } });
    assert_eq!(ledger["pack_source"], source);
    p.ok(&by_env("explain", &[]));
    p.refuses(
        &context("compile", &["--pack", PACK, "--env", "prod"]),
        1,
        "D0014",
        "the environment decides the version",
    );
    // What is not by environment stays as it was.
    assert!(overlays(&p, &context("compile", &["--pack", PACK])).is_empty());
}

#[test]
fn a_request_names_its_pack_or_the_caller_does() {
    let p = published();
    let bare = |request: &'static str| vec!["context", "compile", "--request", request, "--run", "run.yaml"];
    // The request's first reference names the pack in the registry.
    let named = p.json(&bare("request.yaml"));
    let source = &named["data"]["context_ledger"]["pack_source"];
    assert_eq!((source["origin"].as_str(), source["named_by"]["by"].as_str()), (Some("proven"), Some("request")));
    let text = std::fs::read_to_string(p.path("request.yaml")).unwrap();
    p.write("free.yaml", text.replace("context_pack_refs: [ctxpack.support@1.0.0]\n", ""));
    p.write("empty.yaml", text.replace("[ctxpack.support@1.0.0]", "[]"));
    p.write("path.yaml", text.replace("[ctxpack.support@1.0.0]", "[./support]"));
    for request in ["free.yaml", "empty.yaml", "path.yaml"] {
        p.refuses(&bare(request), 1, "D1501", "--pack");
    }
    for request in ["free.yaml", "empty.yaml"] {
        let args = [&bare(request)[..], &["--pack", PACK]].concat();
        let out = p.ok(&args);
        assert!(out.stdout.contains("named by the caller: the request pins none"), "{}", out.stdout);
        let source = p.json(&args)["data"]["context_ledger"]["pack_source"].clone();
        assert_eq!(source["named_by"]["by"], "caller");
    }
}

#[test]
fn rollback_goes_to_the_version_before_and_unpin_to_none() {
    let p = published();
    p.ok(&["pack", "pin", PACK, "--env", "prod", "--overlay", "high_risk"]);
    p.refuses(&["pack", "rollback", "ctxpack.support", "--env", "prod"], 1, "D1211", "before");
    publish_next(&p, "1.0.1");
    // Without the overlay the limit is looser, though no request shows it.
    let next = ["pack", "pin", "ctxpack.support@1.0.1", "--env", "prod"];
    p.refuses(&next, 1, "D2413", "GATE_FINANCE_APPROVAL");
    let meant = ["--accept", "policy", "--as", "security", "--reason", "no fraud any more"];
    let pinned = p.json(&[&next[..], &meant].concat());
    assert_eq!(pinned["data"]["rollback"], false);
    let back = p.json(&["pack", "rollback", "ctxpack.support", "--env", "prod"]);
    let data = &back["data"];
    assert_eq!((data["pack_ref"].as_str(), data["rollback"].as_bool()), (Some(PACK), Some(true)));
    assert_eq!(data["replaces"], "ctxpack.support@1.0.1");
    assert_eq!(data["overlays"], serde_json::json!(["high_risk"]));
    assert!(data["golden_ms"].is_u64());
    let log = p.ok(&["pack", "log", "--last", "1"]).stdout;
    assert!(log.contains("+high_risk rollback from ctxpack.support@1.0.1"), "{log}");
    p.refuses(&["pack", "rollback", "ctxpack.support", "--env", "prod"], 1, "D1211", "before");
    p.ok(&["pack", "unpin", "ctxpack.support", "--env", "prod", "--reason", "closed"]);
    p.refuses(&by_env("compile", &[]), 1, "D1211", "pinned");
    assert!(!p.ok(&["pack", "list"]).stdout.contains("in prod"));
    p.ok(&["pack", "verify"]);
}

#[test]
fn ending_what_is_pinned_needs_force() {
    let p = published();
    p.ok(&["pack", "pin", PACK, "--env", "prod"]);
    for verb in ["deprecate", "revoke"] {
        let args = ["pack", verb, PACK, "--reason", "old"];
        p.refuses(&args, 1, "D1214", "`prod` of `tenant_acme_prod`");
        p.ok(&[&args[..], &["--force"]].concat());
    }
}

#[test]
fn the_first_use_is_observed_and_then_promoted() {
    let p = published();
    p.ok(&["pack", "pin", PACK, "--env", "prod"]);
    p.refuses(&["pack", "promote", PACK, "--env", "prod"], 1, "D1215", "no run or recording");
    p.ok(&by_env("record", &["--out", "archive/a.json"]));
    p.ok(&by_env("record", &["--out", "archive/b.json"]));
    let observed = |p: &Project| p.ok(&["pack", "log"]).stdout.matches("pack_observed").count();
    assert_eq!(observed(&p), 1, "once for each environment");
    p.ok(&context("record", &["--pack", PACK, "--out", "archive/c.json"]));
    assert_eq!(observed(&p), 2);
    assert!(p.ok(&["pack", "list"]).stdout.contains("observed"));
    p.ok(&["pack", "promote", PACK, "--env", "prod"]);
    assert!(p.ok(&["pack", "list"]).stdout.contains("promoted"));
    let shown = p.json(&["pack", "show", PACK]);
    assert_eq!(shown["data"]["pinned_in"][0]["promoted"], true);
    let uses: Vec<Value> =
        shown["data"]["observed"].as_array().unwrap().iter().map(|u| u["environment"].clone()).collect();
    assert_eq!(uses, [serde_json::json!("prod"), Value::Null]);
    // A folder is nothing that the registry could have observed.
    p.ok(&context("record", &["--pack", "./support", "--out", "archive/d.json"]));
    assert_eq!(observed(&p), 2);
    p.ok(&["context", "whatif", "archive", "--pack", "ctxpack.support", "--env", "prod"]);
    p.ok(&["pack", "verify"]);
}
