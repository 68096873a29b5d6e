//! `deed memory` at the shell: lives of memories, recall into contexts, bad input, and what is printed of it.

use crate::common::Project;
use serde_json::{Value, json};

const REQUEST: &str = include_str!("../../../../packs/support/examples/request.yaml");
const RUN: &str = include_str!("../../../../packs/support/examples/run.yaml");

/// Before the instant of the worked example.
const DAY: &str = "2026-05-01T09:00:00Z";

fn project(published: bool) -> Project {
    let p = if published { Project::published() } else { Project::new() };
    p.write("request.yaml", REQUEST);
    p.write("run.yaml", RUN);
    p
}

pub(crate) fn proposal(changes: Value) -> String {
    let mut whole = json!({
        "tenant_id": "tenant_acme_prod", "subject": "customer:cus_17", "intent_id": "support.refund",
        "tier": "semantic", "class": "preference", "classification": "INTERNAL", "provenance": ["feedback:1"],
        "confidence": 0.97, "text": "prefers e-mail",
    });
    whole.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    whole.to_string()
}

fn propose(p: &Project, pack: &str, changes: Value) -> Value {
    p.write("proposal.json", proposal(changes));
    p.json(&["memory", "propose", "proposal.json", "--pack", pack, "--actor", "agent", "--now", DAY])
}

fn id(document: &Value) -> String {
    document["data"]["memory"]["memory_id"].as_str().unwrap().to_owned()
}

/// The ids in the ledger with their origins and reasons.
fn recalled(p: &Project, pack: &str, more: &[&str]) -> Vec<(String, String, Value)> {
    let base = ["context", "compile", "--pack", pack, "--request", "request.yaml", "--run", "run.yaml"];
    let document = p.json(&[&base[..], more].concat());
    let memory = document["data"]["context_ledger"]["memory"].as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    memory.iter().map(|m| (text(&m["id"]), text(&m["origin"]["from"]), m["reasons"].clone())).collect()
}

#[test]
fn a_proven_pack_promotes_what_is_sure_and_a_folder_promotes_nothing() {
    let p = project(true);
    let sure = propose(&p, "ctxpack.support@1.0.0", json!({}));
    assert_eq!(sure["data"]["memory"]["status"], "promoted");
    assert_eq!(sure["data"]["memory"]["promotion"]["basis"], "confidence");
    let doubtful = propose(&p, "ctxpack.support@1.0.0", json!({ "text": "hearsay", "confidence": 0.94 }));
    assert_eq!(doubtful["data"]["memory"]["review_demanded"], json!(["low_confidence"]));
    let folder = propose(&p, "./support", json!({ "text": "claimed", "confidence": 1.0 }));
    assert_eq!(folder["data"]["memory"]["review_demanded"], json!(["unproven_pack"]));
    // The same again is the same.
    assert_eq!(propose(&p, "ctxpack.support@1.0.0", json!({}))["data"]["event"], Value::Null);
    let all = recalled(&p, "ctxpack.support@1.0.0", &["--recall"]);
    assert_eq!(all, [(id(&sure), "store".to_owned(), Value::Null)]);
    assert_eq!(recalled(&p, "ctxpack.support@1.0.0", &[]), []);
    let listed = p.json(&["memory", "list", "--status", "in_review", "--now", DAY]);
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
    // Expired at exactly 365 days, for the list and for a compile.
    let end = "2027-05-01T09:00:00Z";
    assert_eq!(recalled(&p, "./support", &["--recall", "--set", "as_of=2027-05-01T08:59:59Z"]).len(), 1);
    assert_eq!(recalled(&p, "./support", &["--recall", "--set", &format!("as_of={end}")]), []);
    assert_eq!(p.ok(&["memory", "expire", "--now", "2027-05-01T08:59:59Z"]).stdout, "");
    assert_eq!(p.ok(&["memory", "expire", "--now", end]).stdout, format!("{}  expired\n", id(&sure)));
    p.ok(&["memory", "verify"]);
}

#[test]
fn recall_follows_the_run_and_the_request() {
    let p = project(true);
    let pack = "ctxpack.support@1.0.0";
    let own = id(&propose(&p, pack, json!({})));
    let any = id(&propose(&p, pack, json!({ "text": "closed on Sundays", "subject": "*", "intent_id": "*" })));
    let other = id(&propose(&p, pack, json!({ "text": "hates calls", "subject": "customer:cus_18" })));
    let ids = |more: &[&str]| -> Vec<String> {
        let mut ids: Vec<String> = recalled(&p, pack, more).into_iter().map(|(id, ..)| id).collect();
        ids.sort();
        ids
    };
    let sorted = |mut ids: Vec<&String>| {
        ids.sort();
        ids.into_iter().cloned().collect::<Vec<_>>()
    };
    assert_eq!(ids(&["--recall"]), sorted(vec![&own, &any]));
    assert_eq!(ids(&["--recall", "--set", "subject_ids=[\"customer:cus_18\"]"]), sorted(vec![&any, &other]));
    assert_eq!(ids(&["--recall", "--as-of", "2026-04-30T00:00:00Z"]), [""; 0]);
    // A sweep asks the store anew for each point, and each point is the compile of its value.
    let sweep =
        ["context", "sweep", "--pack", pack, "--request", "request.yaml", "--run", "run.yaml", "--recall", "--all"];
    let vary = "as_of=2026-04-30T00:00:00Z,2026-05-09T10:00:00Z";
    let points = p.json(&[&sweep[..], &["--vary", vary]].concat());
    let hash = |more: &[&str]| {
        let base = ["context", "compile", "--pack", pack, "--request", "request.yaml", "--run", "run.yaml", "--recall"];
        p.json(&[&base[..], more].concat())["data"]["context_ledger"]["compiled_context_hash"].clone()
    };
    for (point, as_of) in ["2026-04-30T00:00:00Z", "2026-05-09T10:00:00Z"].iter().enumerate() {
        let own = &points["data"]["points"][point]["compiled_context_hash"];
        assert_eq!(*own, hash(&["--set", &format!("as_of={as_of}")]), "{as_of}");
    }
    assert_ne!(
        points["data"]["points"][0]["compiled_context_hash"],
        points["data"]["points"][1]["compiled_context_hash"]
    );
}

#[test]
fn a_recording_with_recalled_memory_replays_where_there_is_no_store() {
    let p = project(true);
    let memory = id(&propose(&p, "ctxpack.support@1.0.0", json!({})));
    let base = ["--pack", "./support", "--request", "request.yaml", "--run", "run.yaml", "--recall"];
    p.ok(&[&["context", "record"][..], &base, &["--out", "recorded.json"]].concat());
    assert!(p.ok(&[&["context", "explain"][..], &base].concat()).stdout.contains(&memory));
    p.ok(&["memory", "revoke", &memory, "--reason", "withdrawn", "--now", DAY]);
    assert_eq!(recalled(&p, "./support", &["--recall"]), []);
    let elsewhere = Project::bare();
    elsewhere.write("recorded.json", std::fs::read(p.path("recorded.json")).unwrap());
    elsewhere.ok(&["context", "replay", "recorded.json"]);
    p.edit_in_place("recorded.json", &[("prefers e-mail", "prefers letters")]);
    assert_eq!(p.run(&["context", "replay", "recorded.json"]).code, 1);
}

#[test]
fn a_tightened_pack_is_obeyed_at_recall() {
    let p = project(true);
    let memory = id(&propose(&p, "ctxpack.support@1.0.0", json!({})));
    let reasons = |edit: (&str, &str)| {
        p.edit("tight.yaml", &[edit]);
        recalled(&p, "./tight.yaml", &["--recall"]).into_iter().find(|(id, ..)| *id == memory).unwrap().2
    };
    assert_eq!(reasons(("evidence_link, preference, ", "evidence_link, ")), json!(["class_not_allowed"]));
    assert_eq!(
        reasons(("auto_promote_confidence: 0.95", "auto_promote_confidence: 0.98")),
        json!(["below_confidence"])
    );
    assert_eq!(reasons(("semantic: 365d", "semantic: 7d")), json!(["expired"]));
}

#[test]
fn bad_proposals_are_refused_before_anything_is_recorded() {
    let p = project(false);
    let run = |p: &Project| p.run(&["memory", "propose", "bad.yaml", "--pack", "./support"]);
    p.write("bad.yaml", proposal(json!({})).replace("\"tier\"", "\"teir\""));
    let out = run(&p);
    assert!(
        out.code == 1 && out.stderr.contains("teir") && out.stderr.contains("did you mean `tier`"),
        "{}",
        out.stderr
    );
    p.write("bad.yaml", proposal(json!({ "confidence": "high" })));
    let out = run(&p);
    assert!(out.code == 1 && out.stderr.contains("confidence"), "{}", out.stderr);
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    let secret = sample.text.get(sample.secret.clone()).unwrap();
    for changes in [
        json!({ "text": sample.text }),
        json!({ "text": null, "entity": "a:1", "predicate": "p", "value": { "k": [sample.text] } }),
    ] {
        p.write("bad.yaml", proposal(changes));
        let out = run(&p);
        assert!(out.code == 1 && out.stderr.contains("[D2203]"), "{}", out.stderr);
        assert!(!out.stderr.contains(secret) && !out.stdout.contains(secret));
    }
    for text in ["", "[]", "null", "{}", "a: [", "\u{0}"] {
        p.write("bad.yaml", text);
        let out = run(&p);
        assert_eq!(out.code, 1, "{text:?}: {}", out.stderr);
    }
    assert!(!p.path(".deed/memory/memory.sqlite").exists());
    assert_eq!(p.ok(&["memory", "list"]).stdout, "");
    p.refuses(&["memory", "show", "mem_none"], 1, "D2202", "mem_none");
    assert_eq!(p.ok(&["memory", "verify"]).stdout, "empty\n");
}

#[test]
fn rejections_name_their_places_and_keep_nothing_of_the_text() {
    let p = project(false);
    let mail = "jane.roe@mail.acme.io";
    p.write("proposal.yaml", format!("tenant_id: tenant_acme_prod\nsubject: customer:cus_17\nintent_id: support.refnd\ntier: semantic\nclass: preference\ntext: write to {mail}\nclassification: SECRET\nprovenance: []\nconfidence: 0.9\n"));
    let out = p.run(&["memory", "propose", "proposal.yaml", "--pack", "./support", "--lines"]);
    assert_eq!(out.code, 1);
    for (line, reason) in [
        ("proposal.yaml:3", "unknown_intent"),
        ("proposal.yaml:7", "unknown_classification"),
        ("proposal.yaml:8", "missing_provenance"),
        ("proposal.yaml", "personal_data_not_allowed"),
    ] {
        assert!(out.stderr.lines().any(|l| l.contains(line) && l.contains(reason)), "{reason}\n{}", out.stderr);
    }
    assert!(!out.stderr.contains(mail) && !out.stdout.contains(mail), "{}{}", out.stdout, out.stderr);
    let rejected = p.json(&["memory", "list", "--status", "rejected"]);
    let memory = rejected["data"][0]["memory_id"].as_str().unwrap().to_owned();
    let shown = p.json(&["memory", "show", &memory]);
    assert_eq!(shown["data"]["proposal"], Value::Null);
    p.refuses(&["memory", "promote", &memory], 1, "D2204", "rejected");
    p.ok(&["memory", "verify"]);
}

#[test]
fn decisions_have_people_roles_and_reasons() {
    let p = project(false);
    let memory = id(&propose(&p, "./support", json!({})));
    let review = |actor: &str, reason: &str| {
        let args = [
            "memory", "review", &memory, "--accept", "--as", "data", "--reason", reason, "--actor", actor, "--now", DAY,
        ];
        p.run(&args)
    };
    // The registry of this project allows self-review, on record.
    p.ok(&["registry", "policy", "set", "--refuse-self-review", "--reason", "two people"]);
    let own = review("agent", "sure");
    assert!(own.code == 1 && own.stderr.contains("[D2206]"), "{}", own.stderr);
    let silent = review("ann", " ");
    assert!(silent.code == 1 && silent.stderr.contains("[D2208]"), "{}", silent.stderr);
    assert_eq!(p.run(&["memory", "review", &memory, "--accept", "--reject", "--as", "data", "--reason", "x"]).code, 2);
    assert_eq!(p.run(&["memory", "review", &memory, "--accept", "--as", "king", "--reason", "x"]).code, 2);
    p.ok(&["registry", "policy", "set", "--allow-self-review", "--reason", "one person"]);
    let own = review("agent", "sure\n9  forged\u{1b}[31m");
    assert!(own.code == 0 && own.stderr.contains("the reviewer proposed it too"), "{}", own.stderr);
    p.ok(&["memory", "promote", &memory, "--now", DAY]);
    let shown = p.ok(&["memory", "show", &memory, "--now", DAY]).stdout;
    assert!(shown.contains("accepted as data: sure\\n9  forged\\u001b[31m"), "{shown}");
    p.refuses(&["memory", "revoke", &memory, "--reason", ""], 1, "D2208", "reason");
}

#[test]
fn an_altered_log_is_named_and_recalls_nothing() {
    let p = project(true);
    propose(&p, "ctxpack.support@1.0.0", json!({}));
    let head = p.json(&["memory", "verify"])["data"]["head"]["hash"].as_str().unwrap().to_owned();
    p.ok(&["memory", "verify", "--head", &head]);
    let other = format!("sha256:{}", "0".repeat(64));
    p.refuses(&["memory", "verify", "--head", &other], 1, "D1221", "memory log");
    let conn = rusqlite::Connection::open(p.path(".deed/memory/memory.sqlite")).unwrap();
    conn.execute("UPDATE events SET body = replace(body, '2027', '2099') WHERE seq = 2", []).unwrap();
    drop(conn);
    p.refuses(&["memory", "verify"], 1, "D1220", "event 2");
    let compile = ["context", "compile", "--pack", "./support", "--request", "request.yaml", "--run", "run.yaml"];
    p.ok(&compile);
    p.refuses(&[&compile[..], &["--recall"]].concat(), 1, "D1220", "event 2");
}

#[test]
fn a_list_brings_nothing_back_that_the_log_revoked() {
    let p = project(true);
    let pack = "ctxpack.support@1.0.0";
    let gone = id(&propose(&p, pack, json!({})));
    p.ok(&["memory", "revoke", &gone, "--reason", "asked for it", "--actor", "ann", "--now", DAY]);
    let item = |id: &str, text: &str| {
        json!({
            "id": id, "tenant_id": "tenant_acme_prod", "subject": "customer:cus_17", "intent_id": "*",
            "tier": "semantic", "class": "preference", "text": text, "promoted_at": DAY, "classification": "INTERNAL",
            "provenance": ["feedback:1"],
        })
    };
    let compile = ["context", "compile", "--pack", pack, "--request", "request.yaml", "--run", "run.yaml"];
    let listed = [&compile[..], &["--memory", "list.json"]].concat();
    for (name, text) in
        [(gone.as_str(), "other words"), ("mem_other", "prefers  E-MAIL."), ("mem_other", "Prefers e-mail")]
    {
        p.write("list.json", json!([item(name, text)]).to_string());
        p.refuses(&[&listed[..], &["--recall"]].concat(), 1, "D2210", "was revoked");
        // Without the log, the list is the caller's word, as the ledger says.
        p.ok(&listed);
    }
    p.write("list.json", json!([item("mem_other", "prefers letters")]).to_string());
    p.ok(&[&listed[..], &["--recall"]].concat());
}

#[test]
fn a_clock_that_is_set_back_revives_no_memory_and_is_shown() {
    let p = project(true);
    let pack = "ctxpack.support@1.0.0";
    p.write("clock.yaml", RUN.replace("as_of: \"2026-05-09T10:00:00Z\"\n", ""));
    let short = id(&propose(&p, pack, json!({ "tier": "working" })));
    let compiled = |now: &str| {
        let base =
            ["context", "compile", "--pack", pack, "--request", "request.yaml", "--run", "clock.yaml", "--recall"];
        let document = p.json(&[&base[..], &["--now", now]].concat());
        document["data"]["context_ledger"]["memory"].as_array().unwrap().len()
    };
    let early = "2026-05-01T09:30:00Z";
    assert_eq!(compiled(early), 1);
    p.write("proposal.json", proposal(json!({ "text": "closed on Sundays", "confidence": 0.5 })));
    p.ok(&["memory", "propose", "proposal.json", "--pack", pack, "--actor", "agent", "--now", "2026-05-01T12:00:00Z"]);
    assert!(!p.ok(&["memory", "list", "--now", early]).stderr.contains("D2223"));
    // Its hour has passed by the time of the log, whatever the clock says now.
    let status = |now: &str| p.json(&["memory", "show", &short, "--now", now])["data"]["memory"]["status"].clone();
    assert_eq!((compiled(early), status(early)), (0, json!("expired")));
    assert_eq!(p.ok(&["memory", "expire", "--now", early]).stdout, format!("{short}  expired\n"));
    for command in [["memory", "list"], ["memory", "verify"]] {
        let shown = p.ok(&command).stderr;
        assert!(shown.contains("warning[D2223]") && shown.contains("2026-05-01T09:30:00Z"), "{shown}");
    }
    // A run that states its instant recalls what was promoted then.
    assert_eq!(recalled(&p, pack, &["--recall", "--as-of", early]).len(), 1);
}
