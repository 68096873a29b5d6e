//! The billing audit, twice: all that was planted is found, nothing is sent unasked or twice, and the bytes that come
//! out are those that `tests/suite/runs/billing` pins.

use super::example::ends;
use crate::common::Project;
use crate::common::billing::{Api, example, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const RUN: [&str; 7] =
    ["run", "--plan", "billing/plan.yaml", "--input", "billing/input", "--resolve", "billing.example.test=127.0.0.1"];

fn read(path: std::path::PathBuf) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The hashes of what a run made, by path.
fn made(p: &Project, run: &str) -> BTreeMap<String, String> {
    let listed = p.json(&["artifacts", "list", run]);
    let files = listed["data"].as_array().unwrap().iter().filter(|file| !file["from_step"].is_null());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    files.map(|file| (text(&file["path"]), text(&file["sha256"]))).collect()
}

fn found(rows: &Value) -> BTreeSet<(String, String)> {
    let text = |row: &Value, name: &str| row[name].as_str().map(str::to_owned);
    let place = |row: &Value| text(row, "id").or(text(row, "line_id")).or(text(row, "entry_id")).unwrap();
    rows.as_array().unwrap().iter().map(|row| (text(row, "kind").unwrap(), place(row))).collect()
}

#[test]
fn the_audit_finds_what_was_planted_asks_and_sends_once() {
    let api = Api::start();
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    example(&p.path("billing"), api.port);

    // It stops at the gate, and nothing was sent.
    let says = ["one  billing-audit  waiting", "gate corrections-approved  for billing-lead"];
    ends(&p, &[&RUN[..], &["--id", "one"]].concat(), 5, &says);
    assert_eq!(api.did(), (0, 0, 0));
    p.refuses(&["gate", "approve", "one", "--as", "clerk"], 1, "D2011", "this gate is for `billing-lead`");
    let lacks = "run `one` was started with `--resolve billing.example.test=ADDRESS`, which is not given now";
    p.refuses(&["runs", "resume", "one"], 1, "D2073", lacks);
    let resolve = ["--resolve", "billing.example.test=127.0.0.1"];
    ends(&p, &[&["runs", "resume", "one"][..], &resolve].concat(), 5, &[]);
    assert_eq!(api.did(), (0, 0, 0));

    let approved = p.ok(&["gate", "approve", "one", "--as", "billing-lead"]);
    let on = "`deed runs resume one --resolve billing.example.test=ADDRESS` continues the run";
    assert!(approved.stderr.contains(on), "{}", approved.stderr);
    ends(
        &p,
        &["runs", "show", "one"],
        0,
        &["one  billing-audit  approved", "ready to resume: `deed runs resume one --res"],
    );
    // The approval is not spent on a run that could not go on.
    let before = p.ok(&["runs", "events", "one"]).stdout;
    let out = p.refuses(&["runs", "resume", "one"], 1, "D2073", lacks);
    assert!(out.stderr.contains("nothing was run; give it again: `deed runs resume one --resolve"), "{}", out.stderr);
    assert_eq!(p.ok(&["runs", "events", "one"]).stdout, before);
    let resolve = ["--resolve", "billing.example.test=127.0.0.1"];
    ends(&p, &[&["runs", "resume", "one"][..], &resolve].concat(), 0, &["one  billing-audit  succeeded", "57 calls"]);
    assert_eq!(api.did(), (54, 0, 3));

    // All that was planted, and nothing else.
    p.ok(&["artifacts", "export", "one", "--out", "files"]);
    let planted = read(root().join("examples/billing/planted.json"));
    assert_eq!(planted.as_array().unwrap().len(), 61);
    assert_eq!(found(&read(p.path("files/output/discrepancies.json"))), found(&planted));
    let report = std::fs::read_to_string(p.path("files/output/billing_audit_report.html")).unwrap();
    assert!(report.starts_with("<!DOCTYPE html>") && report.contains("Every finding, with its sources"));
    assert!(std::fs::read(p.path("files/output/billing_audit_report.pdf")).unwrap().starts_with(b"%PDF-"));

    // A second run has the same bytes; the billing system has seen the keys, and does nothing again.
    ends(&p, &[&RUN[..], &["--id", "two", "--approve", "billing-lead"]].concat(), 0, &[]);
    assert_eq!(api.did(), (54, 54, 6));
    let (one, two) = (made(&p, "one"), made(&p, "two"));
    assert_eq!(one, two);
    let pinned: BTreeMap<String, String> =
        serde_json::from_value(read(root().join("tests/suite/runs/billing/expected.json"))).unwrap();
    assert_eq!(one, pinned, "what came out has changed; if that was meant, write it to tests/suite/runs/billing");

    for run in ["one", "two"] {
        let verified = p.json(&["receipts", "verify", run]);
        assert_eq!(verified["data"]["sound"], true, "{verified}");
        assert_eq!(verified["data"]["checked"].as_array().unwrap().len(), 33);
    }
    assert!(p.ok(&["journal", "verify"]).stdout.starts_with("2 runs, "));
}

#[test]
fn the_report_is_written_again_without_sending_anything() {
    let api = Api::start();
    let p = Project::bare();
    p.ok(&["init", "--tenant", "tenant_acme_prod"]);
    example(&p.path("billing"), api.port);
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "billing-lead"]].concat());
    let sent = api.did();
    // No address is given for the billing system: a step that tried to send something could not.
    let fork = ["--from", "one", "--step", "write_report", "--id", "two", "--approve", "billing-lead"];
    p.ok(&[&RUN[..5], &fork].concat());
    assert_eq!((api.did(), made(&p, "two")), (sent, made(&p, "one")));
    p.ok(&["receipts", "verify", "two"]);
}
