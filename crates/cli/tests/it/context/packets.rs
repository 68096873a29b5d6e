//! Replay packets: what they state, their lives, and the ends of these.

use super::archive::archive;
use super::example::{context, example, pack_with, refused};
use crate::common::Project;
use serde_json::{Value, json};

const CORRECTION: &str = "reason: It was refunded before.\nexpect: { outcome: must_refuse }\n";
const STRICT: [(&str, &str); 1] = [("identity_verified }, true", "identity_verified }, false")];

/// The example as a correction in `c.json`.
fn corrected() -> Project {
    let p = example();
    p.write("correction.yaml", CORRECTION);
    let options = ["--kind", "operator_correction", "--correction", "correction.yaml", "--out", "c.json"];
    p.ok(&context("record", &options));
    p
}

fn life(p: &Project, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(p.path(name)).unwrap()).unwrap()
}

#[test]
fn a_correction_fails_until_a_pack_is_right() {
    let p = corrected();
    let own = p.run(&["context", "replay", "c.json", "--save"]);
    assert_eq!((own.code, own.stdout.lines().next()), (1, Some("c.json  still_failing")));
    assert!(own.stdout.contains("unmet   policy /expect/outcome: "), "{}", own.stdout);
    pack_with(&p, "strict", &STRICT);
    let args =
        ["context", "replay", "c.json", "--pack", "./strict", "--save", "--eval-run", "eval_3", "--score", "0.93"];
    assert!(p.ok(&args).stdout.starts_with("c.json  fixed\n"));
    let shown = p.json(&["packet", "show", "c.json"])["data"].clone();
    assert_eq!((&shown["state"], &shown["packet"]["correction"]["by"]), (&json!("fixed"), &json!("tester")));
    let entries = shown["life"]["entries"].as_array().unwrap();
    assert_eq!(entries[0]["event"]["result"]["unmet"], json!(["/expect/outcome"]));
    let last = &entries[1]["event"];
    assert_eq!((&last["result"]["eval_run_id"], &last["result"]["score"]), (&json!("eval_3"), &json!(0.93)));
    assert_eq!((&last["by"], &last["at"]), (&json!("tester"), &json!("2026-11-15T00:00:00Z")));
    assert_ne!(entries[0]["event"]["pack_hash"], last["pack_hash"]);
    // The corrected request is a golden case once the pack is right, and not before.
    let case = |pack: &str| {
        vec!["golden", "from-recording", "c.json", "--pack", pack, "--name", "twice"]
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let before = case("support");
    refused(
        &p,
        &before.iter().map(String::as_str).collect::<Vec<_>>(),
        1,
        "D0716",
        "does not do what the correction states",
    );
    let after = case("strict");
    p.ok(&after.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(std::fs::read_to_string(p.path("strict/golden/twice.yaml")).unwrap().contains("It was refunded before."));
}

#[test]
fn bad_origins_are_refused_in_their_files() {
    let p = example();
    p.write("right.yaml", "reason: Fine.\nexpect: { outcome: must_escalate }\n");
    p.write("typo.yaml", "reason: Why.\nexpect: { outcom: must_refuse }\n");
    p.write("calls.yaml", "- { call: { tool: adp_orders.lookup } }\n");
    p.write("no-calls.yaml", "- { tool: adp_orders.lookup }\n");
    let record = |options: &[&'static str]| context("record", options);
    let correction = |file: &'static str| record(&["--kind", "operator_correction", "--correction", file]);
    refused(&p, &correction("right.yaml"), 1, "D2303", "right.yaml:2:1");
    refused(&p, &correction("typo.yaml"), 1, "D2308", "typo.yaml:2:");
    refused(&p, &record(&["--kind", "operator_correction"]), 1, "D2301", "--correction");
    p.write("correction.yaml", CORRECTION);
    refused(&p, &record(&["--correction", "correction.yaml"]), 1, "D2302", "decision_record");
    refused(&p, &record(&["--transcript", "calls.yaml"]), 1, "D2305", "calls.yaml:1");
    refused(&p, &record(&["--transcript", "no-calls.yaml"]), 1, "D2307", "no-calls.yaml:1");
    refused(&p, &record(&["--snapshot", "elsewhere"]), 1, "D2304", "run.yaml");
    p.ok(&record(&["--transcript", "calls.yaml", "--side-effects", "sandbox", "--out", "ok.json"]));
    let score = ["context", "replay", "ok.json", "--save", "--eval-run", "e", "--score", "7"];
    refused(&p, &score, 2, "D2313", "from 0 to 1");
}

#[test]
fn a_life_that_was_edited_is_found() {
    let p = archive();
    for _ in 0..2 {
        p.ok(&["context", "replay", "archive/a.json", "--save"]);
    }
    let whole = life(&p, "archive/a.json.life");
    p.ok(&["packet", "verify", "archive"]);
    type Change = fn(&mut Value);
    let changes: [Change; 5] = [
        |life| life["entries"][0]["event"]["by"] = json!("eve"),
        |life| drop(life["entries"].as_array_mut().unwrap().pop()),
        |life| drop(life["entries"].as_array_mut().unwrap().remove(0)),
        |life| life["head"]["seq"] = json!(7),
        |life| life["packet_id"] = json!("rpl_other"),
    ];
    for change in changes {
        let mut changed = whole.clone();
        change(&mut changed);
        p.write("archive/a.json.life", changed.to_string());
        for command in [&["packet", "verify", "archive"][..], &["packet", "show", "archive/a.json"]] {
            refused(&p, command, 1, "D2310", "a.json.life");
        }
        // Nothing is appended to what is not the life.
        assert_eq!(p.run(&["context", "replay", "archive/a.json", "--save"]).code, 1);
        assert_eq!(life(&p, "archive/a.json.life"), changed);
    }
    // A life that was written anew as a whole is found by a head that was kept.
    let head = whole["head"]["hash"].as_str().unwrap().to_owned();
    p.write("archive/a.json.life", whole.to_string());
    p.ok(&["packet", "verify", "archive/a.json", "--head", &head]);
    std::fs::remove_file(p.path("archive/a.json.life")).unwrap();
    p.ok(&["context", "replay", "archive/a.json", "--save"]);
    refused(&p, &["packet", "verify", "archive/a.json", "--head", &head], 1, "D2310", "no life here ends with");
}

#[test]
fn a_superseded_packet_is_at_its_end() {
    let p = archive();
    let options = ["--evidence", "evidence.yaml", "--supersedes", "archive/b.json", "--out", "archive/c.json"];
    p.ok(&context("record", &options));
    let shown = p.json(&["packet", "show", "archive/b.json"])["data"].clone();
    let newer = p.json(&["packet", "show", "archive/c.json"])["data"].clone();
    assert_eq!((&shown["state"], &shown["superseded_by"]), (&json!("superseded"), &newer["packet"]["packet_id"]));
    assert_eq!(newer["packet"]["supersedes"], shown["packet"]["packet_id"]);
    let before = life(&p, "archive/b.json.life");
    let all = p.json(&["context", "replay", "archive", "--save"]);
    assert_eq!(all["data"]["results"], json!({ "replay_equal": 2, "superseded": 1 }));
    assert_eq!((&all["data"]["determinism_rate"], &all["ok"]), (&json!(1.0), &json!(true)));
    assert_eq!(life(&p, "archive/b.json.life"), before);
    // Again it changes nothing; by a third, or by itself, it is refused.
    p.ok(&["packet", "supersede", "archive/b.json", "--by", "archive/c.json"]);
    assert_eq!(life(&p, "archive/b.json.life"), before);
    refused(&p, &["packet", "supersede", "archive/b.json", "--by", "archive/a.json"], 1, "D2312", "has taken it");
    refused(&p, &["packet", "supersede", "archive/a.json", "--by", "archive/a.json"], 1, "D2312", "the same packet");
    // As if the process had been killed between the two files.
    std::fs::remove_file(p.path("archive/b.json.life")).unwrap();
    let listed = p.ok(&["packet", "list", "archive"]);
    let help = "run `deed packet supersede archive/b.json --by archive/c.json`";
    assert!(listed.stderr.contains(help), "{}", listed.stderr);
}

#[test]
fn writers_take_turns() {
    let p = archive();
    let children: Vec<_> =
        (0..6).map(|_| p.command(&["context", "replay", "archive/a.json", "--save"]).spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    p.ok(&["packet", "verify", "archive"]);
    assert_eq!(life(&p, "archive/a.json.life")["entries"].as_array().unwrap().len(), 6);
}
