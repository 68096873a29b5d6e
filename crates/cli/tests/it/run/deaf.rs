//! Runs whose messages cannot be written: the disk that stderr goes to is full.

use super::example::{RUN, tally};
use crate::common::Project;
use std::fs::OpenOptions;

/// Runs a command that cannot say anything, and gives its exit code and its data.
fn deaf(p: &Project, args: &[&str]) -> (Option<i32>, String) {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let out = p.command(args).stderr(full).output().unwrap();
    (out.status.code(), String::from_utf8(out.stdout).unwrap())
}

#[test]
fn a_run_succeeds_although_its_messages_cannot_be_written() {
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

/// Data that cannot be written is told, and the exit code says so, whatever the command.
#[test]
fn data_that_cannot_be_written_is_an_error() {
    let p = tally();
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    p.write("rule.json", "{\"==\":[1,1]}");
    p.write("rows.jsonl", "{\"a\":1}\n{\"a\":2}\n");
    for args in [
        &["--help"][..],
        &["--version"],
        &["runs", "--help"],
        &["explain", "D2009"],
        &["completions", "bash"],
        &["runs", "list"],
        &["runs", "show", "one"],
        &["runs", "events", "one"],
        &["runs", "resume", "one"],
        &["receipts", "show", "one"],
        &["receipts", "verify", "one"],
        &["artifacts", "list", "one"],
        &["artifacts", "export", "one", "--out", "files"],
        &["journal", "verify"],
        &["canon", "input/rows.json"],
        &["plan", "check", "tally.yaml"],
        &["plan", "compile", "tally.yaml"],
        &["plan", "graph", "tally.yaml"],
        &["catalog", "list"],
        &["sandbox", "plan", "tally.yaml", "add"],
        &["logic", "eval", "rule.json"],
        &["logic", "eval", "rule.json", "--data-lines", "rows.jsonl"],
        &["keys", "list"],
    ] {
        for form in [&[][..], &["--json"]] {
            let args = [args, form].concat();
            // Some say nothing at all in one of the forms, and some of these command lines are refused before.
            let heard = p.run(&args);
            if heard.stdout.is_empty() {
                continue;
            }
            let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
            let out = p.command(&args).stdout(full).output().unwrap();
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            let told = said.contains("[D0003]") && said.contains("cannot write to standard output");
            assert!(out.status.code() == Some(3) && told, "{args:?}: {:?}\n{said}", out.status.code());
        }
    }
}

/// A device is written to, and not replaced by a file.
#[test]
fn a_device_that_is_full_is_told_where_a_file_is_written() {
    use std::os::unix::fs::FileTypeExt;
    let p = tally();
    let out = p.run(&["plan", "compile", "tally.yaml", "--out", "/dev/full"]);
    assert!(out.code == 3 && out.stderr.contains("[D0003]"), "{} {}", out.code, out.stderr);
    assert!(std::fs::metadata("/dev/full").unwrap().file_type().is_char_device());
}
