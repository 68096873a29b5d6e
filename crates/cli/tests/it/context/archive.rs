//! Recording, replaying, and trying another pack over what was recorded.

use super::example::{context, example, pack_with};
use crate::common::Project;
use deed_model::ReplayBundle;
use serde::Deserialize;
use serde_json::{Value, json};

const LOOSER: [(&str, &str); 2] = [
    (
        "\">\": [{ var: request.context.refund_amount }, 3000]\n",
        "\">\": [{ var: request.context.refund_amount }, 9000]\n",
    ),
    (
        "when: { \">\": [{ var: request.context.refund_amount }, 3000] }",
        "when: { \">\": [{ var: request.context.refund_amount }, 9000] }",
    ),
];

/// Two recordings in a folder: one that waits for finance and one that does not.
pub(crate) fn archive() -> Project {
    let p = example();
    let all = ["--evidence", "evidence.yaml", "--memory", "memory.yaml", "--out", "archive/a.json"];
    p.ok(&context("record", &all));
    p.ok(&context("record", &["--request", "small.yaml", "--out", "archive/b.json"]));
    p
}

/// A recording as JSON.
pub(crate) fn bundle(p: &Project, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(p.path(name)).unwrap()).unwrap()
}

#[test]
fn a_recording_goes_to_a_file_or_to_standard_output() {
    let p = example();
    let file = p.ok(&context("record", &["--out", "deep/er/a.json", "--kind", "incident"]));
    assert_eq!(file.stdout, "deep/er/a.json\n");
    assert!(file.stderr.starts_with("recorded rpl_") && file.stderr.ends_with(": must_escalate\n"), "{}", file.stderr);
    let stdout = p.ok(&context("record", &["--kind", "incident"])).stdout;
    assert_eq!(stdout, std::fs::read_to_string(p.path("deep/er/a.json")).unwrap());
    let typed = ReplayBundle::deserialize(serde_json::from_str::<Value>(&stdout).unwrap()).unwrap();
    assert_eq!((typed.expected.outcome.as_str(), typed.expected.stages.len()), ("must_escalate", 8));
    assert_eq!(json!(typed.packet.source_kind), "environment_episode");
    // Inputs may hold what other users must not read.
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(p.path("deep/er/a.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn reported_tokens_are_kept_beside_the_count() {
    let p = example();
    let out = p.ok(&context("record", &["--reported-tokens", "500", "--out", "a.json"]));
    assert!(out.stderr.contains("reported 500"), "{}", out.stderr);
    assert_eq!(bundle(&p, "a.json")["usage"]["reported"], 500);
}

#[test]
fn a_refusal_can_be_recorded_and_replayed() {
    let p = example();
    p.edit_in_place("request.yaml", &[("support.refund\n", "support.exchange\n")]);
    let out = p.ok(&context("record", &["--out", "a.json"]));
    assert!(out.stderr.contains("refused with D1511"), "{}", out.stderr);
    assert_eq!(p.ok(&["context", "replay", "a.json"]).stdout, "a.json  replay_equal\n");
}

#[test]
fn replays_are_equal() {
    let p = archive();
    assert_eq!(p.ok(&["context", "replay", "archive/a.json"]).stdout, "archive/a.json  replay_equal\n");
    let folder = p.ok(&["context", "replay", "archive"]).stdout;
    assert!(
        folder.ends_with("archive/b.json  replay_equal\ndeterminism rate 100.0000 %: 2 of 2 equal, 0 not readable\n"),
        "{folder}"
    );
    let document = p.json(&["context", "replay", "archive"]);
    assert_eq!((&document["ok"], &document["data"]["determinism_rate"]), (&json!(true), &json!(1.0)));
}

#[test]
fn a_recording_needs_nothing_else() {
    let p = archive();
    for folder in ["support/overlays", "support"] {
        std::fs::remove_dir_all(p.path(folder)).unwrap();
    }
    for file in ["request.yaml", "run.yaml", "evidence.yaml", "memory.yaml"] {
        std::fs::remove_file(p.path(file)).unwrap();
    }
    p.ok(&["context", "replay", "archive"]);
}

#[test]
fn an_edited_pack_moves_a_stage() {
    let p = archive();
    pack_with(&p, "looser", &LOOSER);
    let out = p.run(&["context", "replay", "archive", "--pack", "./looser"]);
    assert_eq!(out.code, 1);
    assert!(
        out.stderr.contains("error[D1532]: the first stage that moved is `policy`\n--> archive/a.json"),
        "{}",
        out.stderr
    );
    for line in [
        "stage   policy",
        "at      /decided/controls/0/active",
        "before  true",
        "after   false",
        "outcome must_escalate -> compiled",
    ] {
        assert!(out.stdout.contains(&format!("  {line}\n")), "{line}\n{}", out.stdout);
    }
    assert!(out.stdout.ends_with("determinism rate 0.0000 %: 0 of 2 equal, 0 not readable\n"), "{}", out.stdout);
    let one = p.json(&["context", "replay", "archive/a.json", "--pack", "./looser"]);
    assert_eq!((&one["ok"], &one["data"]["moved"]["stage"]), (&json!(false), &json!("policy")));
    // The same pack from its folder moves nothing.
    p.ok(&["context", "replay", "archive", "--pack", "./support"]);
}

#[test]
fn a_saved_result_is_no_tampering() {
    let p = archive();
    let recorded = bundle(&p, "archive/a.json");
    for _ in 0..2 {
        p.ok(&["context", "replay", "archive", "--save"]);
        let shown = p.json(&["packet", "show", "archive/a.json"])["data"].clone();
        assert_eq!(shown["packet"]["latest_result"], json!({ "result": "replay_equal" }));
    }
    pack_with(&p, "looser", &LOOSER);
    assert_eq!(p.run(&["context", "replay", "archive", "--pack", "./looser", "--save"]).code, 1);
    let shown = p.json(&["packet", "show", "archive/a.json"])["data"].clone();
    assert_eq!(shown["packet"]["latest_result"]["stage"], "policy");
    assert_eq!(shown["life"]["entries"].as_array().unwrap().len(), 3);
    assert_eq!(bundle(&p, "archive/a.json"), recorded);
    p.ok(&["context", "replay", "archive"]);
}

#[test]
fn the_same_pack_would_change_nothing() {
    let p = archive();
    let out = p.ok(&["context", "whatif", "archive", "--pack", "./support"]);
    assert!(out.stdout.contains("requests   2, 0 would change"), "{}", out.stdout);
    assert!(out.stderr.ends_with("passed: every gate that can be judged holds\n"), "{}", out.stderr);
}

#[test]
fn a_looser_pack_fails_a_release_gate() {
    let p = archive();
    pack_with(&p, "looser", &LOOSER);
    let out = p.run(&["context", "whatif", "archive", "--pack", "./looser"]);
    assert_eq!(out.code, 1);
    assert!(out.stderr.contains("[D1533]: `policy` gets worse by 0.5000, and 0 is allowed"), "{}", out.stderr);
    assert!(
        out.stderr.ends_with("refused: a release gate fails, or requests that compiled would not\n"),
        "{}",
        out.stderr
    );
    for line in [
        "requests   2, 1 would change",
        "  outcome   must_escalate -> compiled",
        "  gate -    GATE_FINANCE_APPROVAL",
        "gate       policy failed +0.5000",
    ] {
        assert!(out.stdout.contains(line), "{line}\n{}", out.stdout);
    }
    // A candidate cannot loosen the gate that it is judged by.
    let easy = [LOOSER[0], LOOSER[1], ("{ metric: policy, max_delta: 0 }", "{ metric: policy, max_delta: 1 }")];
    pack_with(&p, "easier", &easy);
    let document = p.json(&["context", "whatif", "archive", "--pack", "./easier"]);
    assert_eq!((&document["ok"], &document["diagnostics"][0]["code"]), (&json!(false), &json!("D1533")));
}

#[cfg(unix)]
#[test]
fn nothing_in_an_archive_is_passed_over() {
    let p = archive();
    std::fs::create_dir_all(p.path("archive/2026")).unwrap();
    let first = std::fs::read_dir(p.path("archive")).unwrap().map(|e| e.unwrap().path()).find(|f| f.is_file()).unwrap();
    std::fs::copy(&first, p.path("archive/2026/again.json")).unwrap();
    std::os::unix::fs::symlink("/nowhere.json", p.path("archive/gone.json")).unwrap();
    let out = p.run(&["context", "replay", "archive"]);
    assert_eq!(out.code, 1);
    assert!(out.stdout.contains("3 of 4 equal, 1 not readable"), "{}", out.stdout);
    assert!(out.stdout.contains("2026/again.json  replay_equal"), "{}", out.stdout);
}

#[test]
fn a_version_that_is_only_bumped_changes_no_request() {
    let p = archive();
    pack_with(&p, "next", &[("pack_version: 1.0.0", "pack_version: 1.10.0")]);
    let out = p.ok(&["context", "whatif", "archive", "--pack", "./next"]);
    assert!(
        out.stdout.contains("requests   2, 0 would change") && !out.stdout.contains("prompt    "),
        "{}",
        out.stdout
    );
    // A text is a change, and is shown once with both readings.
    let summary = ("Help for customers", "Aid for customers");
    pack_with(&p, "worded", &[("pack_version: 1.0.0", "pack_version: 1.10.0"), summary]);
    let out = p.run(&["context", "whatif", "archive", "--pack", "./worded"]);
    assert_eq!(out.stdout.matches("prompt    biz_summary").count(), 2, "{}", out.stdout);
    assert!(!out.stdout.contains("prompt    system"), "{}", out.stdout);
}

#[test]
fn a_change_that_no_recorded_request_reaches_is_listed() {
    let p = archive();
    // No recorded request is refused for its redactions, and none has a card number.
    p.shell("cp -r support next");
    p.edit_in_place(
        "next/pack.yaml",
        &[("redaction_rules: [pan, credit_card]", "redaction_rules: [pan]"), ("cite the policy, ", "")],
    );
    let whatif = ["context", "whatif", "archive", "--pack", "./next"];
    let document = p.json(&whatif);
    let unproven = document["data"]["unproven"].as_array().unwrap().clone();
    let codes: Vec<_> = unproven.iter().map(|change| change["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["D2413", "D2414"], "{unproven:?}");
    assert_eq!(unproven[0]["pointer"], "/policy_layer/guardrails");
    assert_eq!(unproven[0]["base"], "ctxpack.support@1.0.0");
    let text = p.run(&whatif);
    assert!(text.stdout.contains("unproven   D2413 policy since ctxpack.support@1.0.0: "), "{}", text.stdout);
    // The same changes stop a pipeline.
    let ci = p.run(&["pack", "ci", "./next", "--base", "./support"]);
    for change in &unproven {
        let what = change["what"].as_str().unwrap();
        assert!(ci.stderr.contains(what), "{what}\n{}", ci.stderr);
    }
    assert_eq!(p.json(&["context", "whatif", "archive", "--pack", "./support"])["data"]["unproven"], json!([]));
}
