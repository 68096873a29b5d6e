//! Receipts, shown and checked again.

use super::example::{ends, noted, waiting};
use serde_json::json;

#[test]
fn everything_is_checked_again_from_its_bytes() {
    let p = noted();
    let out = p.ok(&["receipts", "verify", "one"]);
    let expected = "holds   checkpoints of the journal\nholds   types frozen with the run\nholds   code of the steps\n\
                    holds   preflight receipt of add\nholds   postflight receipt of add\nholds   decision at total-seen\n\
                    holds   preflight receipt of note\nholds   postflight receipt of note\n\
                    holds   criteria of the mission\nholds   seal of the run\nholds   spending of the run\n\
                    holds   approvals before what waits for them\nholds   decisions on requests\n\
                    not derived again: that the code writes the same bytes when it is run again\n";
    assert!(out.stdout.starts_with(expected), "{}", out.stdout);
    assert!(
        out.stderr.starts_with("13 of 13 hold; other runs are checked by `deed journal verify`; trusted keys: "),
        "{}",
        out.stderr
    );
    let json = p.json(&["receipts", "verify", "one"]);
    assert_eq!((&json["ok"], &json["data"]["sound"]), (&json!(true), &json!(true)));
    assert_eq!(json["data"]["checked"].as_array().unwrap().len(), 13);
    assert_eq!(json["data"]["not_derived"].as_array().unwrap().len(), 4);
}

#[test]
fn a_key_that_did_not_sign_makes_nothing_hold() {
    let p = noted();
    p.ok(&["keys", "generate", "other"]);
    let out = ends(&p, &["receipts", "verify", "one", "--key", "other"], 1, &["broken  seal of the run"]);
    let held = out.stdout.lines().filter(|line| line.starts_with("holds"));
    assert!(held.clone().all(|line| !line.contains("receipt") && !line.contains("decision at")), "{}", out.stdout);
    let json = p.json(&["receipts", "verify", "one", "--key", "other"]);
    assert_eq!((&json["ok"], &json["data"]["sound"]), (&json!(false), &json!(false)));
    p.refuses(&["receipts", "verify", "one", "--key", "nosuch"], 1, "D0020", "there is no key `nosuch`");
    p.ok(&["receipts", "verify", "one", "--key", ".deed/keys/workspace.pub.pem"]);
}

#[test]
fn receipts_say_what_was_found_and_what_was_obtained() {
    let p = noted();
    let shown = p.ok(&["receipts", "show", "one"]).stdout;
    for words in [
        "preflight add  signed by ed25519:",
        "  input    input/orders.csv  22 bytes, 2 rows  sha256:",
        "  output   output/total.json  26 bytes  sha256:",
        "  ran      on sandbox.session (python 3.",
        "): ended well\n",
        "decision total-seen  signed by ed25519:",
        "  approved by tester as clerk, at 2026-11-15T",
        "seal one  signed by ed25519:",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    let note = p.json(&["receipts", "show", "one", "note"]);
    let steps: Vec<&str> = note["data"].as_array().unwrap().iter().map(|r| r["step"].as_str().unwrap()).collect();
    assert_eq!(steps, ["note", "note"]);
    let predicate = &note["data"][1]["statement"]["predicate"];
    assert!(["L2", "L3"].contains(&predicate["execution"]["sandbox"]["obtained"].as_str().unwrap()));
    assert!(predicate["checks"].as_array().unwrap().iter().all(|check| check["holds"] == json!(true)));
    let envelope = p.ok(&["receipts", "show", "one", "note", "--envelopes"]).stdout;
    let envelope: serde_json::Value = serde_json::from_str(envelope.lines().next().unwrap()).unwrap();
    assert_eq!(envelope["payloadType"], "application/vnd.in-toto+json");
    let json = p.json(&["receipts", "show", "one", "note", "--envelopes"]);
    assert_eq!(json["data"][0]["envelope"], envelope, "the same in both forms");
}

#[test]
fn a_run_that_waits_has_receipts_for_what_it_did() {
    let p = waiting();
    let out = p.run(&["receipts", "verify", "one"]);
    let expected = "holds   checkpoints of the journal\nholds   types frozen with the run\nholds   code of the steps\n\
                    holds   preflight receipt of add\nholds   postflight receipt of add\n";
    assert_eq!(out.code, 6, "{}", out.stderr);
    let open = "open    seal of the run: it has not ended, and events can still be added\n";
    assert!(out.stdout.starts_with(expected) && out.stdout.contains(open), "{}", out.stdout);
    assert!(out.stderr.contains("8 of 8 hold; the run is not sealed"), "{}", out.stderr);
    let json = p.json(&["receipts", "verify", "one"]);
    assert_eq!(
        (&json["ok"], &json["data"]["sound"], &json["data"]["sealed"]),
        (&json!(true), &json!(true), &json!(false))
    );
    let verified = p.ok(&["journal", "verify"]);
    assert!(verified.stdout.starts_with("1 run, 8 events: every link holds\nhead 0:sha256:"), "{}", verified.stdout);
}
