//! Values that are set or varied at the shell.

use super::example::{compile, context, example, vary};
use serde_json::json;

#[test]
fn a_set_value_counts_as_if_it_were_written() {
    let p = example();
    vary(&p, "request.yaml", "hundred.yaml", &[("refund_amount: 4200", "refund_amount: 100")]);
    let hash = |args: &[&str]| p.json(&compile(args))["data"]["context_ledger"]["compiled_context_hash"].clone();
    let set = hash(&["--set", "request.context.refund_amount=100"]);
    assert_eq!(set, hash(&["--request", "hundred.yaml"]));
    assert_ne!(set, hash(&[]));
    // What is recorded is what was compiled.
    p.ok(&context("record", &["--set", "request.context.refund_amount=100", "--out", "one.json"]));
    let replayed = p.ok(&["context", "replay", "one.json"]).stdout;
    assert!(replayed.contains("equal"), "{replayed}");
    // A secret on the command line is refused, and not repeated.
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    let token = sample.text.get(sample.secret).unwrap();
    let out = p.run(&compile(&["--set", &format!("request.context.note={token}")]));
    assert!(out.code != 0 && !format!("{}{}", out.stdout, out.stderr).contains(token), "{}", out.stderr);
    p.refuses(&compile(&["--set", "refund"]), 2, "D1510", "sets nothing");
    p.refuses(&compile(&["--set", "request.context.refund_amount.x=1"]), 2, "D1510", "sets nothing");
}

#[test]
fn a_sweep_says_where_the_outcome_changes() {
    let p = example();
    let vary = ["--vary", "request.context.refund_amount=2000..4000..100"];
    let out = p.ok(&context("sweep", &vary));
    let lines: Vec<&str> = out.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", out.stdout);
    assert!(lines[0].starts_with("2000 ") && lines[0].contains("compiled"), "{}", out.stdout);
    assert!(lines[1].starts_with("3100 ") && lines[1].contains("gate GATE_FINANCE_APPROVAL"), "{}", out.stdout);
    assert!(out.stderr.contains("21 points, 1 change"), "{}", out.stderr);
    let all = p.json(&context("sweep", &[&vary[..], &["--all"]].concat()));
    let points = all["data"]["points"].as_array().unwrap();
    assert_eq!(points.len(), 21);
    // Each point is what a compile of its own gives.
    let set = p.json(&compile(&["--set", "request.context.refund_amount=3100"]));
    assert_eq!(points[11]["value"], json!(3100));
    assert_eq!(points[11]["compiled_context_hash"], set["data"]["context_ledger"]["compiled_context_hash"]);
    p.refuses(&context("sweep", &["--vary", "request.context.refund_amount=0..900000"]), 2, "D1510", "varies nothing");
}
