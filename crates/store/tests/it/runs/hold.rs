//! The right to drive a run.

use super::fixture::*;
use deed_ports::{JournalWrite, StoreErrorKind};
use deed_store::RunStore;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const CHILD: &str = "DEED_STORE_HOLD";

#[test]
fn a_run_is_held_by_one() {
    let (dir, store) = store();
    let hold = store.take("a").unwrap();
    let pid = std::process::id();
    let error = fails(store.take("a"), StoreErrorKind::Held);
    assert_eq!(error.message, format!("this process, {pid}, drives run `a`"));
    fails(reopen(dir.path()).take("a"), StoreErrorKind::Held);
    store.take("b").unwrap();
    drop(hold);
    store.take("a").unwrap();
}

/// Not a test of its own: the process that takes a run. Without its variable it does nothing.
#[test]
fn child_takes() {
    let Ok(dir) = std::env::var(CHILD) else { return };
    let store = RunStore::open_with(dir.as_ref(), quick()).unwrap();
    let _hold = store.take("a").unwrap();
    let mut out = std::io::stdout().lock();
    writeln!(out, "TAKEN").unwrap();
    out.flush().unwrap();
    std::io::stdin().lines().for_each(drop);
}

#[test]
fn a_dead_process_holds_nothing() {
    let (dir, store) = store();
    let mut command = child("hold::child_takes");
    let mut process = command.env(CHILD, dir.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
    lines.find(|line| line.contains("TAKEN")).unwrap();
    let error = fails(store.take("a"), StoreErrorKind::Held);
    assert_eq!(error.message, format!("process {} drives run `a`", process.id()));
    process.kill().unwrap();
    process.wait().unwrap();
    store.take("a").unwrap();
}
