//! Runs whose words reach nobody: the disk that stderr goes to is full.

use crate::common::Project;
use crate::example::{RUN, tally};
use std::fs::OpenOptions;

/// Runs a command that cannot say anything, and gives its exit code and its data.
fn deaf(p: &Project, args: &[&str]) -> (Option<i32>, String) {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let out = p.command(args).stderr(full).output().unwrap();
    (out.status.code(), String::from_utf8(out.stdout).unwrap())
}

#[test]
fn a_run_ends_well_though_nobody_can_be_told() {
    let p = tally();
    let (code, said) = deaf(&p, &[&RUN[..], &["--id", "one"]].concat());
    assert_eq!(code, Some(5), "{said}");
    // A remark is lost, and nothing else.
    assert_eq!(deaf(&p, &["gate", "approve", "one", "--as", "clerk"]).0, Some(0));
    let (code, said) = deaf(&p, &["runs", "resume", "one"]);
    assert!(code == Some(0) && said.starts_with("one  tally  succeeded\n"), "{code:?} {said}");
    let (code, said) = deaf(&p, &[&RUN[..], &["--id", "two", "--approve", "clerk"]].concat());
    assert!(code == Some(0) && said.starts_with("two  tally  succeeded\n"), "{code:?} {said}");
    p.ok(&["receipts", "verify", "two"]);
}

#[test]
fn a_refusal_keeps_its_exit_code() {
    let p = tally();
    assert_eq!(deaf(&p, &["runs", "show", "nosuch"]), (Some(1), String::new()));
    assert_eq!(deaf(&p, &["run"]), (Some(2), String::new()));
    let (code, said) = deaf(&p, &["runs", "show", "nosuch", "--json"]);
    assert!(code == Some(1) && said.contains("D2004"), "{code:?} {said}");
}
