//! `kill -9` while a writer is at work.

use super::fixture::*;
use deed_store::Options;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const CHILD: &str = "DEED_MEMORY_KILL";
const KILLS: usize = 12;

/// Not a test of its own: the process that is killed. Without its variable it does nothing.
#[test]
fn child_remembers() {
    let Ok(dir) = std::env::var(CHILD) else { return };
    let options = Options::default().with_steps(|step| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "STEP {step}")?;
        out.flush()
    });
    run(&MemoryStore::open_or_create_with(dir.as_ref(), options).unwrap(), &lives());
}

#[test]
fn kill_9_at_any_moment_leaves_a_log_that_can_go_on() {
    let (expected, lengths) = (undisturbed(), lengths());
    let mut interrupted = 0;
    for kill in 0..KILLS {
        let dir = tempfile::tempdir().unwrap();
        let mut process = child("kill::child_remembers").env(CHILD, dir.path()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        // The signal arrives some instants after the line was read: anywhere in or between later steps.
        let mut steps = lines.map_while(Result::ok).filter(|line| line.contains("STEP "));
        steps.nth(1 + kill * 5);
        process.kill().unwrap();
        process.wait().unwrap();

        let store = open(dir.path());
        assert_clean(&store);
        let written = events(&store);
        let done = lengths.iter().position(|length| *length == written).expect("no operation is half recorded");
        interrupted += usize::from(done < lives().len());
        run(&store, &lives()[done..]);
        assert_eq!(store.head().unwrap().unwrap().hash, expected);
        assert_clean(&store);
    }
    assert!(interrupted > KILLS / 2, "only {interrupted} children were still at work");
}
