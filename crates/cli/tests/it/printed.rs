//! Data that is printed cannot pass for a line of the command's own, move the cursor, or hide.

use crate::common::Project;

/// Text that would write a line of its own, colour it and turn it around.
const EVIL: &str = "eve\n    9  2026-01-01T00:00:00Z  revoked         x  by \u{1b}[31mroot\u{202e}\u{200b}";

#[track_caller]
fn shows_nothing_hidden(text: &str) {
    let hidden = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{200b}".contains(c);
    assert!(!text.contains(hidden), "{text:?}");
}

#[test]
fn an_actor_and_a_reason_stay_in_their_line() {
    let p = Project::published();
    let events = p.ok(&["pack", "log"]).stdout.lines().count();
    p.ok(&["pack", "deprecate", "ctxpack.support@1.0.0", "--reason", EVIL, "--actor", EVIL]);
    let log = p.ok(&["pack", "log"]).stdout;
    assert_eq!(log.lines().count(), events + 1, "{log}");
    assert!(log.contains("by eve\\n    9  2026"), "{log}");
    shows_nothing_hidden(&log);
    let list = p.ok(&["pack", "list"]).stdout;
    assert_eq!(list.lines().count(), 1, "{list}");
    assert!(list.contains("(eve\\n    9"), "{list}");
    shows_nothing_hidden(&list);
    // The document is the same, and its text has no hidden character either.
    let printed = p.ok(&["pack", "log", "--json"]).stdout;
    shows_nothing_hidden(&printed);
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let last = document["data"].as_array().unwrap().last().unwrap();
    assert_eq!(last["event"]["actor"], EVIL);
}

#[test]
fn the_texts_of_a_pack_stay_in_their_lines() {
    let p = Project::draft();
    let rationale = "rationale: \"x\\n  gate  none\\e[31m\\u202e\"";
    p.edit_in_place(
        "support/pack.yaml",
        &[("rationale: Finance looks at large refunds before they are paid.", rationale)],
    );
    let shown = p.ok(&["pack", "show", "./support"]).stdout;
    assert!(shown.contains("x\\n  gate  none\\u001b[31m\\u202e"), "{shown}");
    shows_nothing_hidden(&shown);
    let part = p.ok(&["pack", "show", "./support", "--layer", "policy_layer"]).stdout;
    shows_nothing_hidden(&part);
    let layer: serde_json::Value = serde_json::from_str(&part).unwrap();
    let text = &layer["policy_bundles"][0]["policy_dsl"]["rules"][1]["rationale"];
    assert_eq!(text, "x\n  gate  none\u{1b}[31m\u{202e}");
    p.refuses(&["pack", "lint", "support", "--no-record"], 1, "D0906", "U+001B");
}

#[test]
fn a_full_disk_is_reported() {
    let p = Project::draft();
    for args in [&["pack", "show", "./support"][..], &["pack", "show", "./support", "--json"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let out = p.command(args).stdout(full).output().unwrap();
        let stderr = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains("no space left on device"), "{stderr}");
    }
}
