//! Metrics over an archive at the shell.

use super::example::{context, example, vary};
use crate::common::Project;
use serde_json::{Value, json};

/// Three recordings of 1.0.0, one of them refused, and two of a 1.1.0 that asks finance later.
fn archive() -> Project {
    let p = example();
    vary(&p, "request.yaml", "other.yaml", &[("intent: support.refund", "intent: support.repair")]);
    vary(&p, "request.yaml", "next.yaml", &[("support@1.0.0", "support@1.1.0")]);
    p.edit(
        "next/pack.yaml",
        &[
            ("pack_version: 1.0.0", "pack_version: 1.1.0"),
            ("refund_amount }, 3000", "refund_amount }, 9000"),
            ("refund_amount }, 3000", "refund_amount }, 9000"),
        ],
    );
    p.ok(&context("record", &["--out", "archive/a.json"]));
    p.ok(&context("record", &["--set", "request.context.refund_amount=100", "--out", "archive/b.json"]));
    let refused = p.ok(&context("record", &["--request", "other.yaml", "--out", "archive/c.json"]));
    assert!(refused.stderr.contains("refused with D1511"), "{}", refused.stderr);
    let next = ["--pack", "./next", "--request", "next.yaml"];
    p.ok(&context("record", &[&next[..], &["--out", "archive/d.json"]].concat()));
    let small = ["--set", "request.context.refund_amount=100", "--out", "archive/e.json"];
    p.ok(&context("record", &[&next[..], &small].concat()));
    p
}

/// The value of a metric, by version, intent and what it is of.
fn value<'d>(data: &'d Value, metric: &str, key: [Value; 3]) -> &'d Value {
    let metrics = data["metrics"].as_array().unwrap();
    let rows = metrics.iter().find(|one| one["metric"] == metric).unwrap()["rows"].as_array().unwrap();
    let [pack, intent, of] = key;
    let found = rows.iter().find(|row| row["pack_ref"] == pack && row["intent"] == intent && row["of"] == of);
    &found.unwrap_or_else(|| panic!("{metric} {pack} {intent} {of}: {rows:#?}"))["measured"]
}

fn all(version: &str) -> [Value; 3] {
    [json!(format!("ctxpack.support@{version}")), Value::Null, Value::Null]
}

#[test]
fn an_archive_is_counted_by_version_and_intent() {
    let p = archive();
    let document = p.json(&["context", "stats", "archive"]);
    let data = &document["data"];
    assert_eq!((&data["files"], &data["recordings"]), (&json!(5), &json!(5)));
    assert_eq!(data["metrics"].as_array().unwrap().len(), 14);
    for metric in data["metrics"].as_array().unwrap() {
        for part in ["numerator", "denominator", "origin", "regression"] {
            assert!(metric[part].as_str().unwrap().len() >= 10, "{metric:#}");
        }
    }
    let success = value(data, "compile_success_rate", all("1.0.0"));
    assert_eq!((&success["part"], &success["of"]), (&json!(2), &json!(3)));
    let [pack, _, of] = all("1.0.0");
    let repair = value(data, "compile_success_rate", [pack, json!("support.repair"), of]);
    assert_eq!((&repair["part"], &repair["of"]), (&json!(0), &json!(1)));
    // A set time repeats exactly, and measures nothing.
    assert_eq!(value(data, "compile_latency", all("1.0.0"))["kind"], "not_known");
    assert!(value(data, "rollback_time", all("1.0.0"))["reason"].as_str().unwrap().contains("no registry"));
    // The later version is judged by its gates over the requests of the earlier one.
    assert!(
        value(data, "release_gate_pass_rate", all("1.0.0"))["reason"]
            .as_str()
            .unwrap()
            .contains("no recordings of an earlier")
    );
    let [pack, none, _] = all("1.1.0");
    let policy = value(data, "release_gate_pass_rate", [pack, none, json!("policy")]);
    assert_eq!((&policy["part"], &policy["of"]), (&json!(0), &json!(1)));
}

#[test]
fn regressions_between_versions_are_marked_and_end_with_one() {
    let p = archive();
    let out = p.refuses(&["context", "stats", "archive"], 1, "D2601", "it no longer activates");
    assert!(out.stdout.contains("compare ctxpack.support@1.0.0 with ctxpack.support@1.1.0\n"), "{}", out.stdout);
    let mark =
        "  REGRESSION  policy_rule_activation_rate R_HIGH_VALUE_REQUIRES_APPROVAL: 50.00 % (1 of 2) -> 0.00 % (0 of 2)";
    assert!(out.stdout.contains(mark), "{}", out.stdout);
    let better = "  improvement compile_success_rate all: 66.67 % (2 of 3) -> 100.00 % (2 of 2)";
    assert!(out.stdout.contains(better), "{}", out.stdout);
    // The other way round, the direction is the other way round.
    let names = ["ctxpack.support@1.1.0", "ctxpack.support@1.0.0"];
    let back = [&["context", "stats", "archive", "--compare"][..], &names].concat();
    let out = p.refuses(&back, 1, "D2601", "`compile_success_rate` got worse");
    assert!(out.stdout.contains("  shift       policy_rule_activation_rate R_HIGH"), "{}", out.stdout);
    // One version has nothing to compare with.
    let one = p.ok(&["context", "stats", "archive/a.json"]);
    assert!(!one.stdout.contains("compare") && one.stderr.contains("0 regressions"), "{}{}", one.stdout, one.stderr);
    let compare =
        |before: &'static str, after: &'static str| ["context", "stats", "archive", "--compare", before, after];
    p.refuses(&compare(names[0], "ctxpack.support@1.0.1"), 2, "D2602", "did you mean `ctxpack.support@1.0.0`?");
    p.refuses(&compare(names[0], names[0]), 2, "D2604", "cannot be compared");
}

#[test]
fn what_cannot_be_counted_is_listed() {
    let p = archive();
    p.write("archive/garbage.json", "{");
    p.write("archive/other.json", "{}");
    p.edit_in_place("archive/b.json", &[("\"refund_amount\": 100", "\"refund_amount\": 200")]);
    let document = p.json(&["context", "stats", "archive"]);
    let data = &document["data"];
    assert_eq!((&document["ok"], &data["files"], &data["recordings"]), (&json!(false), &json!(7), &json!(5)));
    let unreadable = data["unreadable"].as_array().unwrap();
    let files: Vec<(&str, &str)> =
        unreadable.iter().map(|one| (one["file"].as_str().unwrap(), one["code"].as_str().unwrap())).collect();
    assert_eq!(files.iter().map(|(file, _)| *file).collect::<Vec<_>>(), ["archive/garbage.json", "archive/other.json"]);
    assert!(files.iter().all(|(_, code)| code.starts_with('D')), "{files:?}");
    assert_eq!(data["tampered"], json!(["archive/b.json"]));
    let success = value(data, "compile_success_rate", all("1.0.0"));
    assert_eq!((&success["part"], &success["of"]), (&json!(1), &json!(2)));
    let replayed = value(data, "replay_determinism_rate", all("1.0.0"));
    assert_eq!((&replayed["part"], &replayed["of"]), (&json!(2), &json!(3)));
    p.write("empty/readme.txt", "");
    p.refuses(&["context", "stats", "empty"], 1, "D1531", "no recorded compiles");
}

#[test]
fn a_compile_is_measured_unless_the_time_is_set() {
    let p = example();
    let mut command = p.command(&context("record", &["--out", "archive/a.json"]));
    let status = command.env_remove("DEED_NOW").output().unwrap().status;
    assert!(status.success());
    let text = std::fs::read_to_string(p.path("archive/a.json")).unwrap();
    let bundle: Value = serde_json::from_str(&text).unwrap();
    let measured = bundle["measured"]["compile_us"].as_u64().unwrap();
    let document = p.json(&["context", "stats", "archive"]);
    let latency = value(&document["data"], "compile_latency", all("1.0.0"));
    assert_eq!((&latency["samples"], &latency["p99"]), (&json!(1), &json!(measured)));
    // The seal does not cover it.
    assert!(p.ok(&["context", "replay", "archive"]).stdout.contains("equal"));
    p.edit_in_place("archive/a.json", &[(&format!("\"compile_us\": {measured}"), "\"compile_us\": 7")]);
    assert!(p.ok(&["context", "replay", "archive"]).stdout.contains("equal"));
}

#[test]
fn rollback_times_come_from_the_log() {
    let p = Project::published();
    let at = |time: &str, args: &[&str]| {
        let out = p.command(args).env("DEED_NOW", time).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    };
    at("2026-11-15T01:00:00Z", &["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    p.edit_in_place("support/pack.yaml", &[("pack_version: 1.0.0", "pack_version: 1.1.0"), ("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/staging.yaml", &[("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/high_risk.yaml", &[("@1.0.0", "@1.1.0")]);
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.ok(&["pack", "publish", "support"]);
    at("2026-11-15T02:00:00Z", &["pack", "pin", "ctxpack.support@1.1.0", "--env", "prod"]);
    // A time that is set measures nothing; another rollback is measured.
    at("2026-11-15T02:10:30Z", &["pack", "rollback", "ctxpack.support", "--env", "prod"]);
    at("2026-11-15T03:00:00Z", &["pack", "pin", "ctxpack.support@1.1.0", "--env", "prod"]);
    let mut command = p.command(&["pack", "rollback", "ctxpack.support", "--env", "prod", "--json"]);
    let printed = command.env_remove("DEED_NOW").output().unwrap().stdout;
    let took = serde_json::from_slice::<Value>(&printed).unwrap()["data"]["took_ms"].as_u64().unwrap();
    super::example::inputs(&p);
    vary(&p, "request.yaml", "request.yaml", &[("support@1.0.0", "support@1.1.0")]);
    p.ok(&context("record", &["--out", "archive/a.json"]));
    let document = p.json(&["context", "stats", "archive"]);
    let time = value(&document["data"], "rollback_time", all("1.1.0"));
    assert_eq!((&time["samples"], &time["unrecorded"]), (&json!(1), &json!(1)));
    // Not the hours for which it was pinned: at most what the command says that it took.
    assert!(time["max"].as_u64().unwrap() <= took, "{time} {took}");
    let [pack, none, _] = all("1.1.0");
    assert_eq!(value(&document["data"], "rollback_time", [pack, none, json!("prod")]), time);
    p.ok(&["pack", "verify"]);
}

#[test]
fn what_the_later_version_no_longer_has_is_a_regression_with_its_name() {
    let p = example();
    vary(&p, "request.yaml", "next.yaml", &[("support@1.0.0", "support@1.1.0")]);
    p.edit(
        "next/pack.yaml",
        &[
            ("pack_version: 1.0.0", "pack_version: 1.1.0"),
            ("redaction_rules: [pan, credit_card]", "redaction_rules: [pan]"),
            ("required_evidence: [identity_verified, order_lookup, policy_eval]", "required_evidence: [policy_eval]"),
            ("R_HIGH_VALUE_REQUIRES_APPROVAL", "R_RENAMED"),
        ],
    );
    p.ok(&context("record", &["--out", "archive/a.json"]));
    p.ok(&context("record", &["--pack", "./next", "--request", "next.yaml", "--out", "archive/d.json"]));
    let out = p.refuses(
        &["context", "stats", "archive"],
        1,
        "D2601",
        "the rule `R_HIGH_VALUE_REQUIRES_APPROVAL` was removed",
    );
    for removed in ["redaction credit_card", "rule R_HIGH_VALUE_REQUIRES_APPROVAL: acted in 1 of 1"] {
        assert!(out.stdout.contains(&format!("  REGRESSION  removed {removed}")), "{}", out.stdout);
    }
    let document = p.json(&["context", "stats", "archive"]);
    let comparison = &document["data"]["comparisons"][0];
    let removed = comparison["removed"].as_array().unwrap();
    assert!(removed.len() >= 2 && comparison["regressions"].as_u64().unwrap() >= removed.len() as u64);
    // A control that did not act is no loss that the archive shows, and what is kept is none.
    assert!(removed.iter().all(|one| one["name"] != "R_REFUND_REQUIRES_IDV" && one["name"] != "pan"), "{removed:#?}");
}

#[test]
fn superseded_packets_and_copies_are_counted_once() {
    let p = archive();
    std::fs::copy(p.path("archive/a.json"), p.path("archive/z_copy.json")).unwrap();
    p.ok(&context("record", &["--trace-id", "again", "--supersedes", "archive/b.json", "--out", "archive/f.json"]));
    let document = p.json(&["context", "stats", "archive"]);
    let data = &document["data"];
    assert_eq!((&data["files"], &data["recordings"]), (&json!(7), &json!(5)));
    assert_eq!(data["superseded"], json!(["archive/b.json"]));
    assert_eq!(data["duplicates"], json!([{ "file": "archive/z_copy.json", "of": "archive/a.json" }]));
    // A copy that was changed is no copy.
    p.edit_in_place("archive/z_copy.json", &[("\"refund_amount\": 4200", "\"refund_amount\": 42")]);
    assert_eq!(p.json(&["context", "stats", "archive"])["data"]["tampered"], json!(["archive/z_copy.json"]));
}
