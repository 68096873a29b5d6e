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
    assert!(out.stderr.contains("21 points, 1 change of the decision, 20 changes of the hash"), "{}", out.stderr);
    let all = p.json(&context("sweep", &[&vary[..], &["--all"]].concat()));
    let points = all["data"]["points"].as_array().unwrap();
    assert_eq!(points.len(), 21);
    // Each point is what a compile of its own gives.
    let set = p.json(&compile(&["--set", "request.context.refund_amount=3100"]));
    assert_eq!(points[11]["values"], json!([3100]));
    assert_eq!(points[11]["compiled_context_hash"], set["data"]["context_ledger"]["compiled_context_hash"]);
    p.refuses(&context("sweep", &["--vary", "request.context.refund_amount=0..900000"]), 2, "D1510", "varies nothing");
}

#[test]
fn two_values_are_crossed_and_what_nothing_reads_is_said() {
    let p = example();
    let amounts = "request.context.refund_amount=2900..3200..100";
    let both = ["--vary", "user.role=support_agent,lead", "--vary", amounts];
    let document = p.json(&context("sweep", &[&both[..], &["--all"]].concat()));
    let data = &document["data"];
    assert_eq!(data["paths"], json!(["user.role", "request.context.refund_amount"]));
    let points = data["points"].as_array().unwrap();
    assert_eq!(points.len(), 8);
    assert_eq!((&points[6]["values"], &points[6]["changed"]), (&json!(["lead", 3100]), &json!(true)));
    let set = ["--set", "user.role=lead", "--set", "request.context.refund_amount=3100"];
    let alone = p.json(&compile(&set));
    assert_eq!(points[6]["compiled_context_hash"], alone["data"]["context_ledger"]["compiled_context_hash"]);
    // The first of a row is compared with the first of the row before.
    assert_eq!((&points[4]["changed"], &points[4]["hash_changed"]), (&json!(false), &json!(true)));
    let third = [&both[..], &["--vary", "safety_mode=network"]].concat();
    p.refuses(&context("sweep", &third), 2, "D0019", "more than two values are varied");
    let many = ["--vary", "user.role=a,b", "--vary", "request.context.refund_amount=1..6000"];
    p.refuses(&context("sweep", &many), 2, "D1510", "at most 10000 points");
}

#[test]
fn a_path_that_nothing_reads_is_refused_or_said() {
    let p = example();
    for (set, says) in [
        ("request.context.refund_amout=1", "did you mean `request.context.refund_amount`?"),
        ("refund_amount=100", "did you mean `request.context.refund_amount`?"),
        ("usr.role=lead", "did you mean `user.role`?"),
        ("request.refund_amount=100", "did you mean `request.context.refund_amount`?"),
        ("request.input.refund_amount=100", "did you mean `request.context.refund_amount`?"),
        ("request.weather_in_pune=rain", "rules read facts as `request.context.weather_in_pune`"),
        ("run_budget.weather_in_pune=rain", "the run context has no such field"),
        ("env.currency=USD", "not of the request or the run"),
    ] {
        for command in ["compile", "explain", "record"] {
            p.refuses(&context(command, &["--set", set]), 1, "D2605", says);
        }
        let vary = format!("{}1,2", set.split_inclusive('=').next().unwrap());
        p.refuses(&context("sweep", &["--vary", &vary]), 1, "D2605", says);
    }
    let warned = p.ok(&compile(&["--set", "request.context.weather_in_pune=rain"]));
    assert!(warned.stderr.contains("warning[D2605]"), "{}", warned.stderr);
    // Values are JSON, or text where they are none: a rule that compares numbers does not read a text as one.
    let text = p.json(&compile(&["--set", "request.context.refund_amount=\"100\""]));
    assert_eq!(text["data"]["outcome"], "must_refuse");
    let number =
        p.json(&compile(&["--set", "request.context.refund_amount=9", "--set", "request.context.refund_amount=100"]));
    assert_eq!(number["data"]["outcome"], "compiled");
    let explained =
        p.ok(&context("explain", &["--only", "GATE_FINANCE_APPROVAL", "--set", "request.context.refund_amount=7"]));
    assert!(explained.stdout.contains("request.context.refund_amount = 7"), "{}", explained.stdout);
}

#[test]
fn a_value_is_set_in_every_recorded_request() {
    let p = super::archive::archive();
    p.edit(
        "next/pack.yaml",
        &[("refund_amount }, 3000", "refund_amount }, 9000"), ("refund_amount }, 3000", "refund_amount }, 9000")],
    );
    let whatif =
        |set: &'static [&'static str]| [&["context", "whatif", "archive", "--pack", "./next"][..], set].concat();
    let changed = |set| p.json(&whatif(set))["data"]["changed"].as_array().unwrap().len();
    // As recorded, one of two asks finance; set above the limit, both do.
    let outcomes = |set| {
        let document = p.json(&whatif(set));
        let changed = document["data"]["changed"].as_array().unwrap().clone();
        changed.iter().filter(|one| !one["outcome"].is_null()).count()
    };
    assert_eq!(outcomes(&[]), 1);
    assert_eq!(outcomes(&["--set", "request.context.refund_amount=4200"]), 2);
    assert_eq!(outcomes(&["--set", "request.context.refund_amount=100", "--set", "user.role=support_agent"]), 0);
    assert!(changed(&[]) >= 1);
    p.refuses(&whatif(&["--set", "request.context.refund_amout=1"]), 1, "D2605", "did you mean");
    p.refuses(&whatif(&["--set", "refund"]), 2, "D1510", "sets nothing");
}
