//! Runs that are ended, and runs that another process drives.

use super::example::{RUN, changed, ends, noted, tally, waiting};
use std::io::{BufRead as _, BufReader};

#[test]
fn a_run_that_waits_is_cancelled_and_its_gate_is_closed() {
    let p = waiting();
    let out = p.ok(&["runs", "cancel", "one", "--why", "no longer needed"]);
    assert_eq!(out.stdout, "one  cancelled\n");
    assert_eq!(p.ok(&["gate", "list"]).stdout, "");
    let shown = p.ok(&["runs", "show", "one"]).stdout;
    assert!(shown.starts_with("one  tally  cancelled\n") && !shown.contains("gate total-seen"), "{shown}");
    p.refuses(&["gate", "approve", "one", "--as", "clerk"], 1, "D2010", "no gate of run `one` waits for a decision");
    ends(&p, &["runs", "resume", "one"], 1, &["one  tally  cancelled"]);
    ends(&p, &["runs", "events", "one", "--kind", "cancel_requested"], 0, &["no longer needed"]);
    p.ok(&["receipts", "verify", "one"]);
    p.ok(&["journal", "verify"]);
}

#[test]
fn a_run_that_has_ended_stays_as_it_is() {
    let p = noted();
    let out = p.ok(&["runs", "cancel", "one", "--json"]);
    assert!(out.stdout.contains("\"status\": \"succeeded\""), "{}", out.stdout);
    assert_eq!(p.ok(&["runs", "events", "one", "--kind", "cancel_requested"]).stdout, "");
}

#[test]
fn a_running_run_is_ended_by_the_process_that_drives_it() {
    let p = tally();
    // It stops here until it is stopped: nothing ever comes from that socket, whose other end stays open.
    let stuck = "import socket; here, there = socket.socketpair(); here.recv(1)";
    changed(&p, "tally.yaml", &[("import csv, json", stuck)]);
    let mut child = p.command(&[&RUN[..], &["--id", "one"]].concat()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("began      add")));
    // While one process has it, another cannot take it up.
    p.refuses(&["runs", "resume", "one"], 1, "D2009", "");
    let out = p.ok(&["runs", "cancel", "one"]);
    assert!(out.stderr.contains("another process drives it") || out.stdout == "one  cancelled\n", "{}", out.stderr);
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{rest:?}");
    let shown = p.ok(&["runs", "show", "one"]).stdout;
    assert!(shown.starts_with("one  tally  cancelled\n"), "{shown}");
    // Nothing goes on in a run that has ended.
    assert!(shown.contains("  stopped    add\n") && shown.contains("  pending    note\n"), "{shown}");
    assert!(!shown.contains("running"), "{shown}");
    let data = p.json(&["runs", "show", "one"])["data"].clone();
    assert_eq!((data["steps"][0]["status"].as_str(), data["status"].as_str()), (Some("stopped"), Some("cancelled")));
    p.ok(&["receipts", "verify", "one"]);
}
