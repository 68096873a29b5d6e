//! Files that are missing, or that do not hold what they must.

use super::example::{compile, example, refused, run_with, vary};
use crate::common::Project;

#[track_caller]
fn turned_down(p: &Project, options: &[&str], exit: i32, code: &str, says: &str) {
    refused(p, &compile(options), exit, code, says);
}

#[test]
fn missing_files_and_folders() {
    let p = example();
    for option in ["--request", "--run", "--evidence", "--memory"] {
        turned_down(&p, &[option, "nowhere.yaml"], 3, "D0001", "nowhere.yaml");
        turned_down(&p, &[option, "support"], 3, "D0001", "it is a folder");
    }
    turned_down(&p, &["--pack", "./nowhere"], 3, "D0001", "./nowhere");
    turned_down(&p, &["--pack", "support/overlays"], 1, "D0005", "support/overlays");
    turned_down(&p, &["--earlier", "nowhere.json"], 3, "D0001", "nowhere.json");
    turned_down(&p, &["--earlier", "request.yaml"], 1, "D1529", "deed context compile --json");
}

#[test]
fn lists_and_objects() {
    let p = example();
    p.write("object.yaml", "a: 1\n");
    p.write("list.yaml", "- a\n");
    p.write("empty.yaml", "");
    turned_down(&p, &["--evidence", "object.yaml"], 1, "D0204", "object.yaml:1:1");
    turned_down(&p, &["--memory", "object.yaml"], 1, "D0204", "must be an array");
    turned_down(&p, &["--evidence", "list.yaml"], 1, "D0204", "must be an object");
    turned_down(&p, &["--request", "list.yaml"], 1, "D0204", "must be an object");
    turned_down(&p, &["--run", "list.yaml"], 1, "D0204", "must be an object");
    turned_down(&p, &["--request", "empty.yaml"], 1, "D0103", "empty.yaml");
}

#[test]
fn fields_that_are_needed() {
    let p = example();
    vary(&p, "request.yaml", "aimless.yaml", &[("  intent: support.refund\n", "")]);
    turned_down(&p, &["--request", "aimless.yaml"], 1, "D0205", "`intent` is missing in `input`");
    vary(&p, "run.yaml", "nobody.yaml", &[("tenant_id: tenant_acme_prod\n", "")]);
    turned_down(&p, &["--run", "nobody.yaml"], 1, "D0205", "`tenant_id` is missing");
    // All that is wrong is said at once.
    let both = compile(&["--request", "aimless.yaml", "--run", "nobody.yaml"]);
    let out = refused(&p, &both, 1, "D0205", "aimless.yaml");
    assert!(out.stderr.contains("nobody.yaml"), "{}", out.stderr);
}

#[test]
fn values_that_are_not_allowed() {
    let p = example();
    vary(&p, "run.yaml", "mode.yaml", &[("safety_mode: destructive", "safety_mode: nuclear")]);
    turned_down(&p, &["--run", "mode.yaml"], 1, "D0206", "allowed are `read_only`");
    vary(&p, "request.yaml", "huge.yaml", &[("refund_amount: 4200", "refund_amount: 9007199254740993")]);
    turned_down(&p, &["--request", "huge.yaml"], 1, "D0105", "huge.yaml:11:20");
    run_with(&p, "tokens.yaml", "");
    p.edit_in_place("tokens.yaml", &[("tokenizer: bytes/4", "tokenizer: gpt2")]);
    turned_down(&p, &["--run", "tokens.yaml"], 1, "D1508", "`o200k_base`");
}

#[test]
fn instants() {
    let p = example();
    for bad in ["yesterday", "2026-05-09", "2026-05-09 10:00:00Z", "2026-05-09T10:00:00", "2026-13-09T10:00:00Z"] {
        turned_down(&p, &["--as-of", bad], 1, "D0012", "RFC 3339");
    }
    vary(&p, "run.yaml", "when.yaml", &[("2026-05-09T10:00:00Z", "soon")]);
    turned_down(&p, &["--run", "when.yaml"], 1, "D1507", "when.yaml:8:8");
}

#[test]
fn standard_input_twice() {
    let p = example();
    turned_down(&p, &["--request", "-", "--run", "-"], 2, "D1528", "standard input");
    turned_down(&p, &["--evidence", "-", "--memory", "-"], 2, "D1528", "standard input");
    assert_eq!(p.run(&["context", "compile", "--pack", "./support"]).code, 2);
}

#[test]
fn keys_that_nothing_reads() {
    let p = example();
    vary(&p, "evidence.yaml", "misspelt.yaml", &[("payload_hash: sha256:299d", "payload_hsh: sha256:299d")]);
    let out = p.ok(&compile(&["--evidence", "misspelt.yaml"]));
    assert!(out.stderr.contains("warning[D1519]: unknown key `payload_hsh`"), "{}", out.stderr);
    assert!(out.stderr.contains("misspelt.yaml:7:3") && out.stderr.contains("did you mean `payload_hash`?"));
    assert!(out.stdout.contains("rejected: missing_hash"), "{}", out.stdout);
}

/// Request and run may have keys of the caller's own, which rules read; one that is nearly one of ours is warned of.
#[test]
fn keys_that_are_nearly_known() {
    let p = example();
    for (file, option, edit, place, near) in [
        ("request.yaml", "--request", ("channel: chat", "chanel: chat"), "chanel", "channel"),
        ("request.yaml", "--request", ("message: Refund", "mesage: Refund"), "mesage", "message"),
        ("run.yaml", "--run", ("subject_ids:", "subjct_ids:"), "subjct_ids", "subject_ids"),
        ("run.yaml", "--run", ("kg_snapshot_id:", "kg_snapshot:"), "kg_snapshot", "kg_snapshot_id"),
        ("run.yaml", "--run", ("bucket_tokens:", "bucket_token:"), "bucket_token", "bucket_tokens"),
    ] {
        vary(&p, file, "misspelt.yaml", &[edit]);
        let out = p.ok(&compile(&[option, "misspelt.yaml"]));
        assert!(out.stderr.contains(&format!("warning[D1519]: unknown key `{place}`")), "{}", out.stderr);
        assert!(out.stderr.contains("misspelt.yaml:"), "{}", out.stderr);
        assert!(out.stderr.contains(&format!("did you mean `{near}`?")), "{}", out.stderr);
    }
    run_with(&p, "own.yaml", "desk: { name: day }\nticket: t_1");
    assert!(!p.ok(&compile(&["--run", "own.yaml"])).stderr.contains("D1519"));
}
