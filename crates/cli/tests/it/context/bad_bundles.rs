//! Recordings that are none, or no longer what was recorded.

use super::archive::{archive, bundle};
use super::example::{context, example, refused};
use serde_json::{Value, json};

#[test]
fn not_a_recording() {
    let p = example();
    p.write("other.json", "{\"a\": 1}");
    let out = refused(&p, &["context", "replay", "other.json"], 1, "D1527", "other.json:1:1");
    assert!(out.stderr.contains("`expected` is missing"), "{}", out.stderr);
    refused(&p, &["context", "whatif", "other.json", "--pack", "./support"], 1, "D1527", "other.json:1:1");
    p.write("broken.json", "{\"format\": ");
    refused(&p, &["context", "replay", "broken.json"], 1, "D0103", "broken.json:1:12");
    refused(&p, &["context", "replay", "nowhere.json"], 3, "D0001", "nowhere.json");
}

#[test]
fn a_format_of_tomorrow() {
    let p = archive();
    let mut later = bundle(&p, "archive/a.json");
    later["format"] = json!("deed/replay-bundle/v99");
    p.write("later.json", later.to_string());
    refused(&p, &["context", "replay", "later.json"], 1, "D1526", "`deed/replay-bundle/v99`");
    refused(&p, &["context", "whatif", "later.json", "--pack", "./support"], 1, "D1526", "`deed/replay-bundle/v99`");
}

#[test]
fn a_folder_without_recordings() {
    let p = example();
    std::fs::create_dir(p.path("empty")).unwrap();
    p.write("notes/readme.txt", "no recordings");
    for folder in ["empty", "notes"] {
        refused(&p, &["context", "replay", folder], 1, "D1531", "deed context record");
        refused(&p, &["context", "whatif", folder, "--pack", "./support"], 1, "D1531", folder);
    }
}

#[test]
fn one_that_cannot_be_read_does_not_hide_the_others() {
    let p = archive();
    p.write("archive/c.json", "{}");
    let out = p.run(&["context", "replay", "archive"]);
    assert_eq!(out.code, 1);
    assert!(out.stderr.contains("[D1527]") && out.stderr.contains("archive/c.json:1:1"), "{}", out.stderr);
    assert!(out.stdout.starts_with("archive/a.json  replay_equal\narchive/b.json  replay_equal\n"), "{}", out.stdout);
    let document = p.json(&["context", "replay", "archive"]);
    assert_eq!((&document["ok"], &document["data"]["unreadable"]), (&json!(false), &json!(1)));
    // Nor is it left out of the rate.
    assert!(out.stdout.ends_with("determinism rate 66.6666 %: 2 of 3 equal, 1 not readable\n"), "{}", out.stdout);
    assert!(document["data"]["determinism_rate"].as_f64().unwrap() < 0.67, "{document:#}");
    for gone in ["a", "b"] {
        std::fs::remove_file(p.path(&format!("archive/{gone}.json"))).unwrap();
    }
    let out = p.run(&["context", "replay", "archive"]);
    assert_eq!((out.code, out.stdout.as_str()), (1, "determinism rate 0.0000 %: 0 of 1 equal, 1 not readable\n"));
}

/// A bundle that was changed proves nothing about another pack.
#[test]
fn a_changed_recording_is_no_ground_for_a_survey() {
    let p = archive();
    let whole = bundle(&p, "archive/b.json");
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 4] = [
        ("run", |b| b["inputs"]["run"]["safety_mode"] = json!("read_only")),
        ("packet", |b| b["packet"]["pack_ref"] = json!("ctxpack.other@1.0.0")),
        ("expected", |b| b["expected"]["outcome"] = json!("must_refuse")),
        ("pack", |b| b["inputs"]["pack"]["evaluation_layer"]["release_gates"] = json!([])),
    ];
    for (part, change) in changes {
        let mut changed = whole.clone();
        change(&mut changed);
        p.write("archive/b.json", changed.to_string());
        let says = format!("not what was recorded: {part}");
        let out = refused(&p, &["context", "whatif", "archive", "--pack", "./support"], 1, "D1534", &says);
        assert!(out.stderr.contains("archive/b.json"), "{}", out.stderr);
    }
}

#[test]
fn what_was_changed_since_is_found_and_named() {
    let p = archive();
    let whole = bundle(&p, "archive/a.json");
    let told = |change: &dyn Fn(&mut Value), part: &str| {
        let mut changed = whole.clone();
        change(&mut changed);
        assert_ne!(changed, whole);
        p.write("changed.json", changed.to_string());
        let out = p.run(&["context", "replay", "changed.json"]);
        assert_eq!(out.code, 1, "{}", out.stdout);
        assert!(out.stdout.starts_with("changed.json  invalid\n"), "{}", out.stdout);
        assert!(out.stdout.contains(&format!("  changed since it was recorded: {part}")), "{}", out.stdout);
        assert!(out.stderr.contains("[D1532]") && out.stderr.contains("is not what was recorded"), "{}", out.stderr);
    };
    told(&|b| b["inputs"]["evidence"][0]["content"] = json!("Order ord_881: INR 9900."), "evidence");
    told(&|b| b["inputs"]["memory"][0]["text"] = json!("Wants cash."), "memory");
    told(&|b| b["inputs"]["request"]["input"]["context"]["refund_amount"] = json!(10), "request");
    told(&|b| b["inputs"]["run"]["safety_mode"] = json!("read_only"), "run");
    told(&|b| b["inputs"]["pack"]["tone_and_comms"]["do"] = json!(["be quick"]), "pack");
    told(&|b| b["expected"]["outcome"] = json!("compiled"), "expected");
    told(&|b| b["expected"]["stages"][1]["decided"]["decisions"] = json!([]), "expected");
    told(
        &|b| b["expected"]["stages"][1]["reads"]["layer"] = b["expected"]["stages"][2]["reads"]["layer"].clone(),
        "expected",
    );
    told(&|b| b["packet"]["pack_ref"] = json!("ctxpack.other@1.0.0"), "packet");
    told(&|b| b["packet"]["source_kind"] = json!("golden"), "packet");
    told(&|b| b["seal"]["evidence"] = b["seal"]["memory"].clone(), "evidence");
}

#[test]
fn outputs_that_cannot_be_written() {
    let p = archive();
    let before = std::fs::read(p.path("archive/a.json")).unwrap();
    let args = context("record", &["--out", "archive/a.json"]);
    refused(&p, &args, 1, "D0006", "archive/a.json");
    assert_eq!(std::fs::read(p.path("archive/a.json")).unwrap(), before);
    refused(&p, &context("record", &["--out", "archive"]), 1, "D0006", "archive");
    // A file where a folder is needed, and a place that cannot be written.
    refused(&p, &context("record", &["--out", "run.yaml/a.json"]), 3, "D0002", "run.yaml/a.json");
    refused(&p, &context("record", &["--out", "/proc/deed/a.json"]), 3, "D0002", "/proc/deed/a.json");
    assert_eq!(p.run(&context("record", &["--kind", "rumour"])).code, 2);
}

#[test]
fn what_cannot_be_read_is_not_recorded() {
    let p = example();
    refused(&p, &context("record", &["--request", "nowhere.yaml", "--out", "a.json"]), 3, "D0001", "nowhere.yaml");
    p.write("list.yaml", "- a\n");
    refused(&p, &context("record", &["--run", "list.yaml", "--out", "a.json"]), 1, "D0204", "list.yaml:1:1");
    p.edit_in_place("run.yaml", &[("bytes/4", "gpt2")]);
    refused(&p, &context("record", &["--out", "a.json"]), 1, "D1508", "`gpt2`");
}
