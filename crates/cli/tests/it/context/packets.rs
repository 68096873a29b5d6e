//! Replay packets: what they state, their lives, and the ends of these.

use super::archive::archive;
use super::example::{context, example, pack_with, refused, vary};
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

/// Records a correction of the example into a file.
fn correction(p: &Project, file: &str, expect: &str, more: &[&'static str]) {
    p.write("correction.yaml", format!("reason: It was refunded before.\nexpect: {expect}\n"));
    let options = ["--kind", "operator_correction", "--correction", "correction.yaml", "--out"];
    let file: &'static str = Box::leak(file.to_owned().into_boxed_str());
    p.ok(&context("record", &[&options[..], &[file], more].concat()));
}

#[test]
fn a_correction_is_superseded_only_by_what_states_at_least_as_much() {
    let p = example();
    correction(&p, "sc/corr.json", "{ outcome: must_refuse, prompt_has: [refund] }", &[]);
    let by = |newer: &'static str| ["packet", "supersede", "sc/corr.json", "--by", newer];
    // A recording of the same request says nothing about the fault.
    p.ok(&context("record", &["--trace-id", "t1", "--out", "sc/plain.json"]));
    refused(&p, &by("sc/plain.json"), 1, "D2312", "a `golden_case` may take it");
    // Another pack.
    pack_with(&p, "other", &[("pack_id: ctxpack.support", "pack_id: ctxpack.other")]);
    vary(&p, "request.yaml", "other.yaml", &[("ctxpack.support", "ctxpack.other")]);
    p.ok(&context("record", &["--pack", "./other", "--request", "other.yaml", "--out", "sc/other.json"]));
    refused(&p, &by("sc/other.json"), 1, "D2312", "its pack is \"ctxpack.other\"");
    // Less, something else, and another request.
    correction(&p, "sc/less.json", "{ outcome: must_refuse, tools: [] }", &[]);
    refused(&p, &by("sc/less.json"), 1, "D2312", "/expect/prompt_has");
    correction(&p, "sc/small.json", "{ outcome: must_refuse, prompt_has: [refund] }", &["--request", "small.yaml"]);
    refused(&p, &by("sc/small.json"), 1, "D2312", "its request is another one");
    // A golden case that does not meet it, and one that does.
    p.ok(&context("record", &["--kind", "golden_case", "--trace-id", "t2", "--out", "sc/unmet.json"]));
    refused(&p, &by("sc/unmet.json"), 1, "D2312", "/expect/outcome");
    pack_with(&p, "strict", &STRICT);
    p.ok(&context("record", &["--pack", "./strict", "--kind", "golden_case", "--out", "sc/met.json"]));
    p.ok(&by("sc/met.json"));
    // More is as good.
    correction(&p, "sc/first.json", "{ outcome: must_refuse }", &[]);
    correction(&p, "sc/more.json", "{ outcome: must_refuse, tools: [] }", &["--trace-id", "t3"]);
    p.ok(&["packet", "supersede", "sc/first.json", "--by", "sc/more.json"]);
}

#[test]
fn packets_do_not_supersede_each_other_in_a_circle() {
    let p = example();
    for (at, name) in [("10:00:01", "a"), ("10:00:02", "b"), ("10:00:03", "c")] {
        let (at, out) = (format!("2026-05-09T{at}Z"), format!("sc/{name}.json"));
        p.ok(&context("record", &["--as-of", &at, "--out", &out]));
    }
    p.ok(&["packet", "supersede", "sc/a.json", "--by", "sc/b.json"]);
    p.ok(&["packet", "supersede", "sc/b.json", "--by", "sc/c.json"]);
    refused(&p, &["packet", "supersede", "sc/c.json", "--by", "sc/a.json"], 1, "D2312", "has taken its own place");
    // Claims count too, where a crash came before the life was written.
    let later = ["--as-of", "2026-05-09T10:00:04Z", "--supersedes", "sc/c.json", "--out", "sc/d.json"];
    p.ok(&context("record", &later));
    std::fs::remove_file(p.path("sc/c.json.life")).unwrap();
    refused(&p, &["packet", "supersede", "sc/d.json", "--by", "sc/c.json"], 1, "D2312", "states that it supersedes it");
    // An archive in which nothing is left to judge is not proven.
    p.ok(&["packet", "supersede", "sc/c.json", "--by", "sc/d.json"]);
    std::fs::rename(p.path("sc/d.json"), p.path("d.json")).unwrap();
    let out = p.refuses(&["context", "replay", "sc"], 1, "D2314", "nothing was judged");
    assert!(out.stdout.contains("nothing was judged") && !out.stdout.contains("100"), "{}", out.stdout);
    assert_eq!(p.json(&["context", "replay", "sc"])["data"]["determinism_rate"], Value::Null);
}

/// A life as an earlier version would have written it: the packet is superseded by any other.
fn forced(p: &Project, older: &str, newer: &str) {
    let read = |name: &str| -> deed_model::ReplayBundle {
        serde_json::from_str(&std::fs::read_to_string(p.path(name)).unwrap()).unwrap()
    };
    let (older_bundle, newer_bundle) = (read(older), read(newer));
    let by = &newer_bundle.packet.packet_id;
    let event = deed_context::superseded_event(&older_bundle, by, "2026-11-15T00:00:00Z", "eve");
    let life = deed_context::extended(None, &older_bundle, event).unwrap();
    p.write(&format!("{older}.life"), serde_json::to_string(&life).unwrap());
}

#[test]
fn an_archive_whose_packets_were_superseded_wrongly_is_not_green() {
    let p = example();
    correction(&p, "sc/corr.json", "{ outcome: must_refuse }", &[]);
    p.ok(&context("record", &["--out", "sc/plain.json"]));
    forced(&p, "sc/corr.json", "sc/plain.json");
    p.refuses(&["context", "replay", "sc"], 1, "D2312", "a `golden_case` may take it");
    p.refuses(&["context", "stats", "sc"], 1, "D2312", "a `golden_case` may take it");
    let counted = &p.json(&["context", "stats", "sc"])["data"];
    assert_eq!((&counted["recordings"], &counted["superseded"]), (&json!(1), &json!([])));
    assert_eq!(counted["unreadable"][0]["code"], "D2312");
    for (at, name) in [("10:00:01", "a"), ("10:00:02", "b")] {
        let (at, out) = (format!("2026-05-09T{at}Z"), format!("ring/{name}.json"));
        p.ok(&context("record", &["--as-of", &at, "--out", &out]));
    }
    forced(&p, "ring/a.json", "ring/b.json");
    forced(&p, "ring/b.json", "ring/a.json");
    p.refuses(&["context", "replay", "ring"], 1, "D2312", "none is current");
    p.refuses(&["context", "stats", "ring"], 1, "D2312", "none is current");
}

#[test]
fn a_correction_is_superseded_only_under_the_same_facts() {
    let p = example();
    let expect = "{ outcome: must_refuse }";
    let same = ["--evidence", "evidence.yaml", "--memory", "memory.yaml"];
    correction(&p, "sc/corr.json", expect, &same);
    vary(&p, "run.yaml", "user.yaml", &[("role: support_agent", "role: support_lead")]);
    vary(&p, "run.yaml", "subject.yaml", &[("[customer:cus_17]", "[customer:cus_18]")]);
    vary(&p, "run.yaml", "mode.yaml", &[("safety_mode: destructive", "safety_mode: network")]);
    vary(&p, "run.yaml", "again.yaml", &[("run_2026_05_09_001", "run_2026_05_09_002"), ("ses_4", "ses_5")]);
    p.write("one.yaml", "[]\n");
    let others: [(&str, &[&str], &str); 6] = [
        ("evidence", &["--evidence", "one.yaml", "--memory", "memory.yaml"], "its evidence is another one"),
        ("memory", &["--evidence", "evidence.yaml", "--memory", "one.yaml"], "its memory is another one"),
        ("user", &[&same[..], &["--run", "user.yaml"]].concat(), "its run context is another one"),
        ("subject", &[&same[..], &["--run", "subject.yaml"]].concat(), "its run context is another one"),
        ("mode", &[&same[..], &["--run", "mode.yaml"]].concat(), "its run context is another one"),
        ("instant", &[&same[..], &["--as-of", "2026-05-09T11:00:00Z"]].concat(), "its run context is another one"),
    ];
    for (name, options, why) in others {
        let out = format!("sc/{name}.json");
        correction(&p, &out, expect, options);
        p.refuses(&["packet", "supersede", "sc/corr.json", "--by", &out], 1, "D2312", why);
    }
    // Another run of the same, with more stated.
    let run = [&same[..], &["--run", "again.yaml"]].concat();
    correction(&p, "sc/again.json", "{ outcome: must_refuse, tools: [] }", &run);
    p.ok(&["packet", "supersede", "sc/corr.json", "--by", "sc/again.json"]);
}

#[test]
fn a_replay_and_a_pipeline_judge_one_archive_alike() {
    let p = example();
    correction(&p, "sc/corr.json", "{ outcome: must_refuse }", &[]);
    correction(&p, "sc/more.json", "{ outcome: must_refuse, tools: [] }", &["--trace-id", "t3"]);
    let ci = ["pack", "ci", "./support", "--archive", "sc"];
    let failing = |p: &Project| p.run(&ci).stderr.matches("error[D2415]").count();
    let replayed = |p: &Project| p.run(&["context", "replay", "sc"]).stdout.matches("still_failing").count();
    assert_eq!((failing(&p), replayed(&p)), (2, 2));
    p.ok(&["packet", "supersede", "sc/corr.json", "--by", "sc/more.json"]);
    assert_eq!((failing(&p), replayed(&p)), (1, 1));
    let whatif = ["context", "whatif", "sc", "--pack", "./support"];
    assert_eq!(p.json(&whatif)["data"]["requests"], 1);
    // Superseded by one that is not here, and by one that may not take its place.
    std::fs::rename(p.path("sc/more.json"), p.path("more.json")).unwrap();
    p.ok(&context("record", &["--out", "sc/plain.json"]));
    for args in [&ci[..], &["context", "replay", "sc"], &whatif] {
        p.refuses(args, 1, "D2312", "it is not in this archive");
    }
    std::fs::remove_file(p.path("sc/corr.json.life")).unwrap();
    forced(&p, "sc/corr.json", "sc/plain.json");
    for args in [&ci[..], &["context", "replay", "sc"], &whatif] {
        p.refuses(args, 1, "D2312", "a `golden_case` may take it");
    }
    std::fs::write(p.path("sc/corr.json.life"), "{}").unwrap();
    p.refuses(&ci, 1, "D2310", "corr.json.life");
}

#[test]
fn a_correction_is_fixed_by_its_own_pack_and_by_the_code_that_it_states() {
    let p = corrected();
    pack_with(&p, "other", &[("pack_id: ctxpack.support", "pack_id: ctxpack.other"), ("tenant_acme_prod", "tenant_b")]);
    let out = p.refuses(&["context", "replay", "c.json", "--pack", "./other", "--save"], 1, "D2315", "`ctxpack.other`");
    assert!(!out.stdout.contains("fixed") && !p.path("c.json.life").exists(), "{}", out.stdout);
    p.write("refused.yaml", "reason: It should not be served.\nexpect: { outcome: refused }\n");
    let options = ["--kind", "operator_correction", "--correction", "refused.yaml", "--out", "r.json"];
    refused(&p, &context("record", &options), 1, "D2309", "refused.yaml:2:");
    p.write("refused.yaml", "reason: It should not be served.\nexpect: { outcome: refused, code: D1511 }\n");
    p.ok(&context("record", &options));
    // Another refusal is not the one that was asked for.
    let tenant =
        [("issuer: tenant_acme_prod", "issuer: tenant_b"), ("tenant_id: tenant_acme_prod", "tenant_id: tenant_b")];
    pack_with(&p, "foreign", &tenant);
    let out = p.run(&["context", "replay", "r.json", "--pack", "./foreign"]);
    assert!(out.code == 1 && out.stdout.contains("still_failing"), "{}{}", out.stdout, out.stderr);
    p.write("refused.yaml", "reason: It is another tenant's.\nexpect: { outcome: refused, code: D1504 }\n");
    let options = ["--kind", "operator_correction", "--correction", "refused.yaml", "--out", "t.json"];
    p.ok(&context("record", &options));
    let out = p.run(&["context", "replay", "t.json", "--pack", "./foreign"]);
    assert!(out.code == 0 && out.stdout.starts_with("t.json  fixed"), "{}{}", out.stdout, out.stderr);
}

#[test]
fn files_of_an_archive_are_read_in_any_case_and_others_are_listed() {
    let p = archive();
    std::fs::rename(p.path("archive/b.json"), p.path("archive/b.JSON")).unwrap();
    p.write("archive/notes.txt", "moved here");
    let out = p.ok(&["context", "replay", "archive"]);
    assert!(out.stdout.contains("2 of 2 equal"), "{}", out.stdout);
    assert!(out.stderr.contains("[D2316]") && out.stderr.contains("archive/notes.txt"), "{}", out.stderr);
    let stats = p.json(&["context", "stats", "archive"]);
    assert_eq!((&stats["data"]["files"], &stats["data"]["skipped"]), (&json!(2), &json!(["archive/notes.txt"])));
    assert!(p.ok(&["packet", "list", "archive"]).stderr.contains("archive/notes.txt"));
}
