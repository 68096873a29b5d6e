//! Much of everything: it ends, refused or compiled, and nothing is passed over in silence.

use super::example::{SNAPSHOT, compile, compiled, evidence, example, vary};
use crate::common::Project;
use serde_json::{Value, json};

/// A request whose message has ten million bytes.
fn wordy() -> Project {
    let p = example();
    let request = json!({
        "request_id": "req_1",
        "input": {
            "intent": "support.refund",
            "message": "word ".repeat(2_000_000),
            "context": { "identity_verified": true, "refund_amount": 1 }
        }
    });
    p.write("wordy.json", request.to_string());
    p
}

#[test]
fn a_message_of_ten_megabytes_is_refused_by_the_budget() {
    let p = wordy();
    let map = "{ business: 1500, policy: 1800, tool: 1500, evidence: 400, memory: 1500, session: 2200 }";
    vary(&p, "run.yaml", "total.yaml", &[(map, "8000")]);
    let out = p.refuses(&compile(&["--request", "wordy.json", "--run", "total.yaml"]), 1, "D1514", "the run has 8000");
    assert!(out.stderr.len() < 1000, "a message about a large message is short");
}

#[test]
fn a_message_of_ten_megabytes_is_compiled_with_the_tokens_for_it() {
    let p = wordy();
    let map = "{ business: 1500, policy: 1800, tool: 1500, evidence: 400, memory: 1500, session: 2200 }";
    vary(&p, "run.yaml", "total.yaml", &[(map, "3000000")]);
    let out = p.ok(&compile(&["--request", "wordy.json", "--run", "total.yaml"]));
    assert!(out.stdout.starts_with("outcome    compiled\n"), "{}", out.stdout);
}

#[test]
fn a_hundred_thousand_pieces_of_evidence() {
    let p = example();
    let piece = |i: u32| match i % 1_000 {
        0 => evidence(&format!("o{i}"), "Delivered.").to_string(),
        _ => format!("{{\"evidence_ref\":\"kg:order:o{i}#{SNAPSHOT}\"}}"),
    };
    let pieces: Vec<String> = (0..100_000).map(piece).collect();
    p.write("many.json", format!("[{}]", pieces.join(",")));
    let out = p.ok(&compile(&["--evidence", "many.json"]));
    let lines = |end: &str| out.stdout.lines().filter(|l| l.starts_with("evidence   ") && l.ends_with(end)).count();
    assert_eq!(lines(""), 100_000, "every one of them is accounted for");
    assert_eq!(lines("rejected: missing_tenant, missing_classification, missing_hash"), 99_900);
    assert!(lines("dropped: no room") > 50);
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let p = example();
    // It takes no room on the disk.
    std::fs::File::create(p.path("huge.json")).unwrap().set_len(200 * 1024 * 1024).unwrap();
    for option in ["--request", "--run", "--evidence", "--memory"] {
        p.refuses(&compile(&[option, "huge.json"]), 1, "D0101", "huge.json");
    }
    p.write("deep.json", "[".repeat(100_000));
    p.refuses(&compile(&["--evidence", "deep.json"]), 1, "D0107", "deep.json");
}

#[test]
fn many_turns_keep_the_newest() {
    let p = example();
    let turn = |i: u32| json!({ "role": "user", "text": format!("turn number {i}") });
    let turns: Vec<Value> = (0..2_000).map(turn).collect();
    let request = json!({
        "request_id": "req_1",
        "input": { "intent": "support.refund", "context": { "identity_verified": true, "refund_amount": 1 } },
        "session": { "recent_turns": turns }
    });
    p.write("talk.json", request.to_string());
    let report = compiled(&p, &["--request", "talk.json"])["budget_report"].clone();
    assert_eq!(report["bucket_truncations"]["session"], true);
    let prompt = p.ok(&compile(&["--request", "talk.json", "--prompt"])).stdout;
    assert!(prompt.contains("turn number 1999") && !prompt.contains("turn number 0\n"));
}
