//! The status of a run: driven, dead, waiting, approved, reused.

use super::example::{RUN, changed, ends, noted, tally, waiting};
use crate::common::Project;
use serde_json::json;
use std::io::{BufRead, BufReader};

/// A run whose first step does not end, and the process that drives it.
fn stuck(p: &Project) -> std::process::Child {
    let stuck = "import socket; here, there = socket.socketpair(); here.recv(1)";
    changed(p, "tally.yaml", &[("import csv, json", stuck)]);
    let mut child = p.command(&[&RUN[..], &["--id", "one"]].concat()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("began      add")));
    child
}

#[test]
fn a_run_that_is_driven_is_told_from_one_whose_process_died() {
    let p = tally();
    let mut child = stuck(&p);
    let driven = format!("  driven by process {}\n", child.id());
    for args in [&["runs", "show", "one"][..], &["runs", "list"]] {
        let shown = p.ok(args).stdout;
        assert!(shown.contains("running") && shown.contains(&driven), "{shown}");
    }
    assert_eq!(p.json(&["runs", "show", "one"])["data"]["driven_by"], json!(child.id()));
    child.kill().unwrap();
    child.wait().unwrap();
    for args in [&["runs", "show", "one"][..], &["runs", "list"]] {
        let shown = p.ok(args).stdout;
        assert!(!shown.contains("running"), "{shown}");
        let hint = "the process that drove it is gone: `deed runs resume one` resumes it";
        assert!(shown.contains("interrupted") && shown.contains(hint), "{shown}");
    }
    let data = p.json(&["runs", "show", "one"])["data"].clone();
    assert_eq!((&data["status"], &data["driven_by"]), (&json!("interrupted"), &json!(null)));
    assert_eq!((&data["steps"][0]["status"], &data["resume"]), (&json!("interrupted"), &json!("deed runs resume one")));
    p.ok(&["runs", "cancel", "one"]);
}

#[test]
fn decisions_and_what_is_to_be_done_next_are_shown() {
    let p = waiting();
    ends(&p, &["runs", "show", "one"], 0, &["one  tally  waiting\n"]);
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    ends(&p, &["runs", "show", "one"], 0, &["one  tally  approved\n  ready to resume: `deed runs resume one`\n"]);
    ends(&p, &["runs", "list"], 0, &["approved", "ready to resume"]);
    let p = waiting();
    p.ok(&["gate", "reject", "one", "--as", "clerk"]);
    ends(&p, &["runs", "show", "one"], 0, &["one  tally  rejected\n  `deed runs resume one` ends it\n"]);
}

#[test]
fn what_is_taken_over_names_its_run() {
    let p = noted();
    let again = [&RUN[..], &["--id", "two", "--reuse", "--approve", "clerk"]].concat();
    let out = ends(&p, &again, 0, &["  reused     add   1 file, from one\n"]);
    assert!(out.stderr.contains("  reused     add  1 file from one\n"), "{}", out.stderr);
    let data = p.json(&["runs", "show", "two"])["data"].clone();
    assert_eq!((&data["steps"][0]["status"], &data["steps"][0]["reused_from"]), (&json!("reused"), &json!("one")));
}

/// Commands about one run read no event of any other: what cannot be read there does not disturb them.
#[test]
fn one_run_is_shown_and_verified_without_reading_the_others() {
    let p = noted();
    for number in 0..3 {
        ends(&p, &[&RUN[..], &["--id", &format!("other-{number}")]].concat(), 5, &[]);
    }
    p.ok(&[&RUN[..], &["--id", "last-one", "--approve", "clerk"]].concat());
    let db = rusqlite::Connection::open(p.path(".deed/runs/journal.sqlite")).unwrap();
    let guard: String =
        db.query_row("SELECT sql FROM sqlite_master WHERE name = 'events_stay'", [], |row| row.get(0)).unwrap();
    db.execute_batch("DROP TRIGGER events_stay").unwrap();
    db.execute_batch("UPDATE events SET body = '{' WHERE run_id LIKE 'other-%'").unwrap();
    db.execute_batch(&guard).unwrap();
    drop(db);
    for run in ["one", "last", "last-one", "last-"] {
        for args in [
            &["runs", "show", run][..],
            &["runs", "events", run],
            &["receipts", "show", run],
            &["receipts", "verify", run],
            &["artifacts", "list", run],
        ] {
            p.ok(args);
        }
    }
    p.ok(&["runs", "list", "--limit", "1"]);
    p.refuses(&["runs", "list"], 3, "D2009", "was altered at event 0");
    p.refuses(&["journal", "verify"], 1, "D2065", "the journal of run `other-0` is broken");
}

#[test]
fn runs_are_listed_in_columns() {
    let p = noted();
    ends(&p, &[&RUN[..], &["--id", "a-longer-name"]].concat(), 5, &[]);
    let out = p.ok(&["runs", "list"]).stdout;
    let lines: Vec<&str> = out.lines().collect();
    let ends = |line: &str, end: &str| line.ends_with(end) && line.find("2026-11-15T") == Some(15);
    assert!(ends(lines[0], "waiting       1 step done   tally"), "{out}");
    assert!(ends(lines[1], "succeeded     2 steps done  tally"), "{out}");
}
