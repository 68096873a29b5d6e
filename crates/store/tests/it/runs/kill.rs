//! `kill -9` while a process appends.

use super::fixture::*;
use deed_canon::ContentHash;
use deed_ports::{BlobWrite, JournalRead, JournalWrite, Wait};
use deed_store::RunStore;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const CHILD: &str = "DEED_STORE_RUNS_KILL";
const KILLS: u64 = 30;

/// Not a test of its own: the process that is killed. Without its variable it does nothing.
#[test]
fn child_appends() {
    let Ok(dir) = std::env::var(CHILD) else { return };
    let store = RunStore::create_or_open(dir.as_ref()).unwrap();
    store.create("a", submitted("a")).unwrap();
    let from = store.settle("a").unwrap().unwrap().seq + 1;
    for n in (from..).step_by(3) {
        store.put(&mut n.to_string().as_bytes()).unwrap();
        store.append("a", vec![progress(n)], Wait::Ordered).unwrap();
        store.append("a", vec![progress(n + 1), progress(n + 2)], Wait::Durable).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "ACKNOWLEDGED {}", n + 2).unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn kill_9_at_any_moment_loses_nothing_that_was_acknowledged() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("runs");
    let mut total = 0;
    for kill in 0..KILLS {
        let mut command = child("kill::child_appends");
        let mut process = command.env(CHILD, &dir).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut acknowledged =
            lines.filter_map(|line| line.split_once("ACKNOWLEDGED ").map(|(_, n)| n.parse::<u64>().unwrap()));
        // The signal arrives some instants after the line was read: anywhere in or between later appends.
        let mut last = acknowledged.nth((kill * 7 % 23) as usize).unwrap();
        process.kill().unwrap();
        last = acknowledged.last().unwrap_or(last);
        process.wait().unwrap();

        let store = RunStore::open(&dir).unwrap();
        assert_sound(&store);
        let found = numbers(&store.events("a", 0).unwrap());
        let end = *found.last().unwrap();
        assert!(end >= last, "kill {kill}: {last} was acknowledged, and the journal ends with {end}");
        assert_eq!(found, (1..=end).collect::<Vec<_>>(), "nothing is missing and nothing is there twice");
        let groups = (1..).step_by(3).take_while(|n| *n <= last);
        for n in groups {
            store.check_blob(&ContentHash::of_bytes(n.to_string().as_bytes())).unwrap();
        }
        // The run resumes at the beginning of a group.
        let missing = (3 - end % 3) % 3;
        store.append("a", (end + 1..=end + missing).map(progress).collect(), Wait::Durable).unwrap();
        total = end + missing;
    }
    assert!(total > KILLS * 10, "only {total} events");
}
